export { CertFields } from './cert-drawer.tsx'
export { certWords } from './cert-words.ts'
export { Face } from './face.tsx'
export { LifeBar } from './life-bar.tsx'
