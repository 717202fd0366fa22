import { Segmented } from 'antd'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { BrandSettings } from './brand-settings.tsx'
import { RuleSettings } from './rule-settings.tsx'

const tabs = [
  { value: 'brand', label: '机构标识' },
  { value: 'rules', label: '组织规则' },
] as const
type Tab = (typeof tabs)[number]['value']

/** Brand and rules of the group, as two tabs. */
export default function OrgSettingsPage() {
  const go = useGo()
  const tab: Tab = usePageQuery().get('tab') === 'rules' ? 'rules' : 'brand'
  const choice = (
    <Segmented<Tab>
      aria-label="设置分类"
      value={tab}
      options={[...tabs]}
      onChange={(next) => go(hrefOf('/organizationSettings', next === 'brand' ? {} : { tab: next }))}
    />
  )
  return tab === 'brand' ? <BrandSettings tabs={choice} /> : <RuleSettings tabs={choice} />
}
