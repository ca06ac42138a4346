export { joinTags, splitTags } from "./cell.ts";
export {
  keyOfTag,
  maxTagsOfAccount,
  maxTagsOfLink,
  sortedTags,
  tagInput,
  tagsInput,
} from "./tag.input.ts";
export {
  addTags,
  columnsOf as columnsOfTags,
  demandRoomForTags,
  idsOfTags,
  removeTags,
  roomForTags,
  setTags,
  tagging,
  tagsOf,
} from "./tagging.ts";
