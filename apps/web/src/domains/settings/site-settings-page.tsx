import { OtherParent, SettingsParent } from './settings-parent.tsx'

const at = '/informationSettings'

/** Settings of a site by the site itself. */
export default function SiteSettingsPage() {
  return (
    <SettingsParent
      kind="site"
      thing="项目"
      param="projectCode"
      tabs={[
        { path: `${at}/project/information`, title: '项目信息', codes: ['setting.view'] },
        { path: `${at}/places`, title: '单体与部位', codes: ['setting.view'] },
        { path: `${at}/material`, title: '项目资料', codes: ['setting.view'] },
        { path: `${at}/dashboard`, title: '看板设置', codes: ['dashboard.edit'] },
        { path: `${at}/orgLogoSetting`, title: '机构标识设置', codes: ['org.view', 'org.set'] },
        { path: `${at}/application`, title: '应用设置', codes: ['app.order'] },
        { path: `${at}/electronicFence`, title: '电子围栏', codes: ['project.view'] },
      ]}
      above={(groupType, code) =>
        groupType !== 3 && <OtherParent to="/system/project" words="这里是项目部自己的设置，管理该项目请到“项目设置”。" code={code} />
      }
    />
  )
}
