export { fileLink } from './links.ts'
