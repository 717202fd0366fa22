import { updateDevice } from '@zhugong/contract/equipment/endpoints'
import { updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { Card, Notice } from '#kit/feedback.tsx'
import { TimeInput } from '#kit/inputs.tsx'
import { SiteMap } from '#kit/map.tsx'
import { useGroupType } from '#kit/me.ts'
import { ProjectChoice } from './project-choice.tsx'
import { useStation } from './use-station.ts'
import './equipment.css'

/** Sites of a station with start dates. */
export default function StationProjectMatch() {
  const { id, data: one } = useStation()
  const groupType = useGroupType()
  const [projectCode, setProjectCode] = useState<string>()
  const [since, setSince] = useState<string>()
  const [reason, setReason] = useState('')
  const save = useAct(updateGateway, { success: '已调拨', onDone: () => setProjectCode(undefined) })
  const match = one?.match
  if (!one || !match) return null
  const here = match.lng !== null && match.lat !== null ? ([match.lng, match.lat] as const) : undefined
  const outside = match.outsideMeters
  const move = async () => {
    const yes = await confirmDanger({
      thing: `把 ${one.name} 从 ${one.projectName} 调到新项目`,
      consequence: `${since ?? '现在'}之前的数据留在 ${one.projectName}，未恢复的告警随之关闭（设备已移除）。`,
      verb: '调拨',
      keep: '留在原项目',
    })
    if (yes)
      void save.run({
        params: { id },
        body: { projectMatch: { projectCode: projectCode ?? '', reason: reason.trim(), since: since || undefined } },
      })
  }
  return (
    <>
      {outside !== null && outside > 200 && (
        <Notice tone="danger">
          监测站的坐标在 {one.projectName} 围栏外 {outside} 米，请核对项目或坐标
        </Notice>
      )}
      <Card title="现在的位置" remark={outside === null ? '没有坐标或围栏' : outside === 0 ? '在围栏内' : `围栏外 ${outside} 米`}>
        <SiteMap
          label={`${one.name} 在 ${one.projectName} 的位置`}
          height={320}
          points={here ? [{ id: one.id, at: here, state: one.online ? 'normal' : 'offline', label: one.name }] : []}
          areas={match.fence.map((ring, i) => ({
            id: `fence${i}`,
            ring,
            label: i === 0 ? one.projectName : undefined,
            kind: 'fence' as const,
          }))}
          focus={here ?? [match.projectLng ?? 0, match.projectLat ?? 0]}
        />
      </Card>
      <Can call={withCode(updateDevice, 'device-admin.transfer')}>
        <Card title="调到其他项目" remark="之前的数据留在原项目">
          <div className="eq-mapping">
            <div>
              <span className="zg-2">新项目</span>
              <ProjectChoice aria-label="新项目" value={projectCode ?? null} onChange={setProjectCode} />
            </div>
            <div>
              <span className="zg-2">自何时起（不填为现在）</span>
              <TimeInput aria-label="自何时起" value={since ?? null} onChange={setSince} />
            </div>
            <div>
              <span className="zg-2">原因</span>
              <Input aria-label="原因" maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
            </div>
          </div>
          <div className="zg-above-12">
            <Button
              type="primary"
              disabled={!projectCode || projectCode === one.projectCode}
              loading={save.running}
              onClick={() => void move()}
            >
              调拨
            </Button>{' '}
            {groupType !== 0 && <span className="zg-2">回溯一小时以上的调拨由平台办理</span>}
          </div>
        </Card>
      </Can>
      <Card title="历次项目" flush>
        <table className="eq-table">
          <thead>
            <tr>
              <th>项目</th>
              <th>从</th>
              <th>到</th>
              <th>经办</th>
              <th>原因</th>
            </tr>
          </thead>
          <tbody>
            {match.moves.map((stay) => (
              <tr key={stay.from}>
                <td>{stay.projectName}</td>
                <td>{stay.from}</td>
                <td>{stay.to ?? '至今'}</td>
                <td>{stay.byName || '--'}</td>
                <td>{stay.reason || '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </>
  )
}
