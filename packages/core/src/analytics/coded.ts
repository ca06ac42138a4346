/** A column: of each click the place of its value. */
export interface Coded<T> {
  places: ArrayLike<number>;
  values: ArrayLike<T>;
}

/** Makes a column of at most 65,536 rows. */
export function coded<T>(count: number, valueOf: (row: number) => T): { places: Uint16Array; values: T[] } {
  const placeOf = new Map<T, number>();
  const places = new Uint16Array(count);
  for (let row = 0; row < count; row++) {
    const value = valueOf(row);
    let place = placeOf.get(value);
    if (place === undefined) placeOf.set(value, (place = placeOf.size));
    places[row] = place;
  }
  return { places, values: [...placeOf.keys()] };
}
