export { SeriesEffect } from './measure-effect.tsx'
