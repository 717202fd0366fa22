import { paths } from './briefing-words.tsx'
import { DetailPage } from './detail.tsx'

/** Collect the missing signatures; later: prove it. */
export default function GangDetailPage() {
  return <DetailPage type="safetyPTechnical" list={paths.list} listName="项目技术交底" />
}
