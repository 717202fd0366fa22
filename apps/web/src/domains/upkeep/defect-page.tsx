import { DefectPage } from './defect-work.tsx'

/** Is the defect truly mended, may the machine run again? */
export default function DeviceRectPage() {
  return <DefectPage />
}
