export { fileIdsOf, keptFiles, linkOf, linksOf, shownLinks } from './kept.ts'
export { fileLink } from './links.ts'
export { pictureReader } from './pictures.ts'
export { takeUpload } from './uploads.ts'
