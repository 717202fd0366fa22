import { DefectPage } from './defect-work.tsx'

/** The defect is mended, here is the proof: what is asked for here is the answer alone. */
export default function DefectReplyPage() {
  return <DefectPage replying />
}
