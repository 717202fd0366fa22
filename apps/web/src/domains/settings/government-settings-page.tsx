import { SettingsParent } from './settings-parent.tsx'

const at = '/system/govemment'

/** Settings of a government body. */
export default function GovernmentSettingsPage() {
  return (
    <SettingsParent
      kind="government"
      thing="监管机构"
      param="govCode"
      tabs={[
        { path: `${at}/information`, title: '机构信息', codes: ['government.view'] },
        { path: `${at}/projectList`, title: '项目列表', codes: ['government.view'] },
        { path: `${at}/appPowerRange`, title: '人员应用范围', codes: ['appRange.edit'] },
        { path: `${at}/screenSetting`, title: '大屏设置', codes: ['screens.set'] },
      ]}
    />
  )
}
