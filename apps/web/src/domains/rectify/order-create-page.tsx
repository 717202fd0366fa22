import { NoticeForm } from './notice-form.tsx'

/** Orders a correction on this site. */
export default function OrderCreatePage() {
  return <NoticeForm title="新建整改" sourceType="12" list="/safetyP/abarbeitung/list" />
}
