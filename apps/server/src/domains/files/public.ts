export { keptFiles, linkOf, linksOf } from './kept.ts'
export { fileLink } from './links.ts'
export { takeUpload } from './uploads.ts'
