import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'
import {
  addPatrol,
  listPatrols,
  patrolList,
  patrolResults,
  patrolStates,
  type VideoPatrol,
} from '@zhugong/contract/monitoring/video-patrols'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, Field, FormDrawer } from '#kit/form.tsx'
import { time } from '#kit/format.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { stateOf } from './camera.ts'

interface Site {
  projectCode: string
  projectName: string
  cameras: readonly DeviceRow[]
}

/** Ends the round of a site: nothing seen, or what was found. */
export function PatrolSteps({ site, onDone }: { site: Site; onDone: () => void }) {
  const may = useCan(addPatrol)
  const [finding, setFinding] = useState(false)
  const act = useAct(addPatrol, { success: '已记入巡查记录', refreshes: [listPatrols], onDone })
  if (!may) return null
  const cameraIds = site.cameras.map((one) => one.id)
  const query = { projectCode: site.projectCode }
  return (
    <>
      <Button type="primary" loading={act.running} onClick={() => void act.run({ query, body: { cameraIds, result: 'fine' } })}>
        无异常
      </Button>
      <Button danger onClick={() => setFinding(true)}>
        有发现
      </Button>
      <FormDrawer
        open={finding}
        narrow
        width={480}
        act={act}
        schema={addPatrol.schemas.body}
        title="巡查发现"
        remark={site.projectName}
        initial={{ cameraIds, result: 'found' }}
        input={(body: BodyOf<typeof addPatrol>) => ({ query, body: { ...body, cameraIds, result: 'found' as const } })}
        onClose={() => setFinding(false)}
      >
        <Field name="deviceId" label="发现于" help="看到问题的摄像机">
          <Choice options={site.cameras.map((one) => ({ value: one.id, label: `${one.name}（${patrolStates[stateOf(one)]}）` }))} />
        </Field>
        <Field name="finding" label="发现的问题" required help="项目可以看到巡查人与内容">
          <LongText rows={4} />
        </Field>
        <Field name="photos" label="照片">
          <Upload max={6} maxMb={10} />
        </Field>
      </FormDrawer>
    </>
  )
}

const results = Object.entries(patrolResults).map(([value, label]) => ({ value, label }))
const away = (one: VideoPatrol) => one.cameras.filter(({ state }) => state !== 'online')

/** Who looked through which cameras when, and what was found. */
export function PatrolLog({ projectCode }: { projectCode: string }) {
  const list = useListPage(patrolList, { scope: { projectCode }, own: ['by', 'area', 'low', 'patrol', 'turn'], defaultSort: '-time' })
  const columns: ColumnOf<typeof patrolList>[] = [
    { key: 'time', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.time) },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 180, value: (r: VideoPatrol) => r.projectName }] : []),
    { key: 'cameras', width: 84, align: 'right', value: (r) => r.cameras.length },
    {
      key: 'online',
      width: 180,
      value: (r) => {
        const gone = away(r)
        return gone.length === 0 ? (
          '全部在线'
        ) : (
          <span className="tone-warning" title={gone.map((one) => `${one.name} ${patrolStates[one.state]}`).join('、')}>
            {r.online} 路在线，{gone[0]?.name} 等 {gone.length} 路无画面
          </span>
        )
      },
    },
    {
      key: 'result',
      width: 92,
      filter: 'multi',
      options: results,
      value: (r) => <Tag tone={r.result === 'found' ? 'danger' : 'fine'}>{patrolResults[r.result]}</Tag>,
    },
    { key: 'finding', width: 280, value: (r) => r.finding },
    { key: 'deviceName', width: 120, weak: true, value: (r) => r.deviceName },
    {
      key: 'photos',
      width: 84,
      value: (r) => (r.photos[0] ? <Thumb src={r.photos[0]} name="巡查照片" width={56} height={36} /> : null),
    },
    { key: 'byName', width: 92, filter: 'text', value: (r) => r.byName },
    { key: 'byGroup', width: 180, weak: true, value: (r) => r.byGroup },
  ]
  return <DataTable list={list} columns={columns} unit="次" emptyHint="点“开始巡查”逐个项目看过后，记录出现在这里" />
}
