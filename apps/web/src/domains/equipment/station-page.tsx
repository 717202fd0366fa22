import { switchGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { hj212 as station } from '@zhugong/contract/protocols/hj212'
import { Button } from 'antd'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { SwitchButton } from '#kit/enable.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { age } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { ChildView, useGo } from '#kit/page.tsx'
import { ChooseFirst } from './library-parts.tsx'
import { useStation } from './use-station.ts'

/** Layout of the three tabs of an HJ 212 station. */
export default function StationPage() {
  const { id, data: one, error, isPending, refetch } = useStation()
  const go = useGo()
  const now = useNow(10_000)
  const turn = useAct(switchGateway, { success: '已更改' })
  if (!id) return <ChooseFirst hint="从环境网关中选择一台监测站" listPath="/gatewayEnv" listName="环境网关" />
  const switched = one && {
    enable: one.status,
    needs: switchGateway,
    question: {
      thing: `停用 ${one.name}`,
      consequence: '收到的报文不再入库，随时可以启用。',
      verb: '停用',
      keep: '继续使用',
    },
    run: () => turn.run({ body: { id, status: turned(one.status) } }),
  }
  const unmatched = one?.station?.unknownCodes ?? 0
  const outside = one?.match?.outsideMeters ?? 0
  return (
    <DetailShell
      title={one?.name}
      place={one && { projectCode: one.projectCode }}
      loading={isPending}
      error={error && !one ? error : undefined}
      retry={refetch}
      tags={
        one && (
          <>
            <Tag tone={one.online ? 'fine' : 'warning'}>{one.online ? '在线' : '离线'}</Tag>
            {!isOn(one.status) && <Tag tone="neutral">已停用</Tag>}
          </>
        )
      }
      facts={
        one
          ? [
              { label: 'MN', value: one.station?.mn },
              { label: '版本', value: one.station?.edition },
              { label: '项目', value: one.projectName },
              { label: '最近上报', value: one.lastSeen ? age(one.lastSeen, now) : '尚未收到' },
              {
                label: '24 小时错误帧',
                value: one.station?.badFrames24h,
                tone: one.station?.badFrames24h ? 'danger' : undefined,
              },
            ]
          : []
      }
      actions={
        <>
          <Can code="device-admin.frame">
            <Button onClick={() => go(`/equipmentDetail/${id}`, { tab: 'frames' })}>报文日志</Button>
          </Can>
          {switched && <SwitchButton {...switched} />}
        </>
      }
      side={[
        { path: '/gatewayEnv/details/information', title: '网关信息', warning: (one?.station?.unitsMissing.length ?? 0) > 0 },
        { path: '/gatewayEnv/details/modelMatch', title: '型号匹配', count: unmatched || undefined, warning: unmatched > 0 },
        { path: '/gatewayEnv/details/projectMatch', title: '项目匹配', warning: outside > 200 },
      ]}
    >
      {one && one.connType !== station.connType ? <Notice tone="warning">这不是 HJ 212 监测站，请到网关管理查看</Notice> : <ChildView />}
    </DetailShell>
  )
}
