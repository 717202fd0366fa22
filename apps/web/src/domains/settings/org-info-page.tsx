import { SettingsParent } from './settings-parent.tsx'

const at = '/system/orgInfo'

/** Brand and information of the group. */
export default function OrgInfoPage() {
  return (
    <SettingsParent
      kind="org"
      thing="机构"
      param={undefined}
      tabs={[
        { path: `${at}/orgLogoSetting`, title: '机构标识设置', codes: ['org.view', 'org.set'] },
        { path: `${at}/orgInfoSetting`, title: '机构信息设置', codes: ['org.view', 'org.set'] },
      ]}
    />
  )
}
