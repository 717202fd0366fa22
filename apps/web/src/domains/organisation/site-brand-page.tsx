import { Notice } from '#kit/feedback.tsx'
import { useGroupType } from '#kit/me.ts'
import { BrandSettings } from './brand-settings.tsx'

/** Brand of the site. */
export default function SiteBrandPage() {
  if (useGroupType() !== 3) return <Notice tone="info">项目标识由项目部设置；上级在“机构信息”中设置本机构标识，并可锁定下级的标识</Notice>
  return <BrandSettings />
}
