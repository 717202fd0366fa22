import { dockingType } from '@zhugong/contract/equipment/codes'
import type { getDocking, listExternalDevices } from '@zhugong/contract/equipment/docking-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { Card, Empty, Pairs } from '#kit/feedback.tsx'
import { ShareBar } from '#kit/filled.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { PushGuide } from './docking-push.tsx'
import { MatchTag } from './docking-words.tsx'

/** Height of the tallest bar; leaves room for the day below and failures above. */
const barPx = 80

/** Amount of data received recently, and the way it is received. */
export function DockingState({ docking }: { docking: OutputFor<typeof getDocking> }) {
  const most = Math.max(1, ...docking.days.map((one) => one.rows))
  return (
    <>
      <Card title="近 14 天" remark="每天收到的条数，红色为失败次数">
        {docking.days.every((one) => one.rows === 0 && one.failed === 0) ? (
          <Empty small text="还没有同步" hint="启用后显示每天的条数" />
        ) : (
          <div
            className="eq-days"
            role="img"
            aria-label={docking.days.map((one) => `${one.day} ${one.rows} 条，失败 ${one.failed} 次`).join('；')}
          >
            {docking.days.map((one) => (
              <div key={one.day} title={`${one.day}：${one.rows} 条，失败 ${one.failed} 次`}>
                {one.failed > 0 && <em>{one.failed}</em>}
                <ShareBar part={one.rows} whole={most} px={barPx} />
                <span>{one.day.slice(5)}</span>
              </div>
            ))}
          </div>
        )}
      </Card>
      {docking.connType === dockingType.push ? (
        <Card title="对方怎么推送">
          <PushGuide id={docking.id} />
        </Card>
      ) : (
        <Card title="接口">
          <Pairs
            items={[
              { label: '地址', value: docking.endpoint, wide: true },
              { label: '方法', value: docking.httpMethod },
              { label: '间隔', value: `${docking.scheduleMinutes} 分钟` },
              { label: '密钥', value: docking.hasSecret ? '已保存' : '未填写' },
              { label: '凭证到期', value: docking.tokenExpire },
              { label: '最近结果', value: docking.lastMessage },
            ]}
          />
        </Card>
      )}
    </>
  )
}

/** Devices of the other platform with the matching device of ours; undefined while loading. */
export function DockingDevices({ id, devices }: { id: string; devices: OutputFor<typeof listExternalDevices> | undefined }) {
  const go = useGo()
  return (
    <Card
      title="设备匹配"
      flush
      actions={
        <Button size="small" onClick={() => go(hrefOf('/equipmentThird', { gatewayId: id }))}>
          去匹配
        </Button>
      }
    >
      {(devices?.list ?? []).map((one) => (
        <div key={one.id} className="eq-row">
          <MatchTag state={one.matchState} />
          <b>{one.externalName ?? one.externalId}</b>
          <span className="zg-2">
            {one.externalProject} {one.externalModel}
          </span>
          <span className="right">
            {one.deviceName ? (
              `→ ${one.projectName} ${one.deviceName}`
            ) : (
              <span className="tone-warning">{one.lastError ?? '等待匹配'}</span>
            )}
          </span>
        </div>
      ))}
      {devices?.total === 0 && <Empty small text="没有设备" hint="第一次收到数据后，对方的设备会出现在这里" />}
    </Card>
  )
}
