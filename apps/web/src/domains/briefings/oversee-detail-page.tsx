import { usePageQuery } from '#kit/page.tsx'
import { paths, typeOf } from './briefing-words.tsx'
import { DetailPage } from './detail.tsx'

/** Who was told what, when, and did they sign themselves? `?type=` names the kind of record. */
export default function OverseeDetailPage() {
  return <DetailPage type={typeOf(usePageQuery().get('type'))} list={paths.oversee} listName="安全技术交底" />
}
