import { SettingsParent } from './settings-parent.tsx'

const at = '/system/enterprise'

/** Settings of a company. */
export default function EnterpriseSettingsPage() {
  return (
    <SettingsParent
      kind="enterprise"
      thing="企业"
      param="corpCode"
      tabs={[
        { path: `${at}/message`, title: '企业信息', codes: ['corporation.view'] },
        { path: `${at}/material`, title: '企业资料', codes: ['setting.view'] },
        { path: `${at}/aptitude`, title: '企业资质', codes: ['setting.view'] },
        { path: `${at}/history`, title: '企业历史', codes: ['setting.view'] },
        { path: `${at}/projectList`, title: '项目列表', codes: ['setting.view'] },
        { path: `${at}/appPowerRange`, title: '应用授权范围', codes: ['appRange.edit'] },
        { path: `${at}/screenSetting`, title: '大屏设置', codes: ['screens.set'] },
      ]}
    />
  )
}
