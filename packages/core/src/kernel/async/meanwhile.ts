/**
 * Does this process's own work while it waits for an answer, such as that of a database. It returns the answer. If the work throws, the
 * answer is awaited before the error is thrown: its connection is free then.
 */
export async function meanwhile<T>(answer: Promise<T>, work: () => void): Promise<T> {
  try {
    work();
  } catch (error) {
    await Promise.allSettled([answer]);
    throw error;
  }
  return answer;
}
