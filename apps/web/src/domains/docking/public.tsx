export { UploadState } from './upload-state.tsx'
