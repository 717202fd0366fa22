import { turned } from '@zhugong/contract/kit/enable'
import { getCorporation, switchCorporation } from '@zhugong/contract/organisation/corporations'
import { useAct, useCall } from '#kit/call.ts'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { EnableTag, SwitchButton } from '#kit/enable.tsx'
import { daysUntil, thousands } from '#kit/format.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'

/** One company with its tabs; its code is in the URL, so that links can be shared and checked. */
export default function CompanyInfoPage() {
  const corpCode = usePageQuery().get('corpCode') ?? ''
  const _go = useGo()
  const read = useCall(getCorporation, { params: { corpCode } }, { quiet: true, enabled: corpCode !== '', staleMs: 15_000 })
  const toggle = useAct(switchCorporation, { success: '已办理' })
  const c = read.data
  if (!corpCode) {
    return <NothingChosen title="企业信息" thing="企业" one="一家企业" from={{ path: '/companySystem', name: '企业管理' }} />
  }
  const left = daysUntil(c?.safetyLicenseEnd)
  const ending = left !== undefined && left <= 90
  return (
    <DetailShell
      title={c?.corpName}
      tags={c && <EnableTag enable={c.enable} />}
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/companySystem"
      facts={
        c
          ? [
              { label: '信用代码', value: c.corpCode },
              { label: '业务类别', value: c.corpKindName },
              { label: '法定代表人', value: c.legalMan },
              { label: '参与项目 / 在场', value: `${c.projectCount} 个 / ${thousands(c.onSite)} 人` },
              {
                label: '安许证至',
                value: c.safetyLicenseEnd,
                tone: ending ? (left < 0 ? ('danger' as const) : ('warning' as const)) : undefined,
              },
            ]
          : []
      }
      actions={
        c && (
          <SwitchButton
            enable={c.enable}
            needs={switchCorporation}
            question={{
              thing: `停用 ${c.corpName}`,
              consequence: '该企业的账号立即退出且不能登录；项目上的人员和设备数据照常。',
              verb: '停用企业',
              keep: '不变',
            }}
            run={() => toggle.run({ body: { corpCode, status: turned(c.enable) } })}
          />
        )
      }
      side={
        c
          ? [
              { path: '/companySystem/info/basic', title: '基本信息', warning: c.missing.length > 0 },
              { path: '/companySystem/info/extra', title: '扩展信息', warning: ending },
            ]
          : []
      }
    />
  )
}
