export { asVideo, forgetFiles } from './forget.ts'
export { fileIdsOf, filesOfSite, keptFiles, linkOf, linksOf, shownLinks } from './kept.ts'
export { fileLink } from './links.ts'
export { pictureReader } from './pictures.ts'
