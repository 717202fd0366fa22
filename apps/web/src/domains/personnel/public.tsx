export { Face } from './face.tsx'
