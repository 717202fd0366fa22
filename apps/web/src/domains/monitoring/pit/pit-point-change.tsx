import { pitInfo } from '@zhugong/contract/monitoring/pit/pit-live'
import { findPitPoints } from '@zhugong/contract/monitoring/pit/pits'
import { changePitPoint, listPitPointChanges, pointChangeKinds } from '@zhugong/contract/monitoring/point-changes'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { measure, time } from '#kit/format.ts'
import { LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import type { PitPoint } from './pit-state.ts'

const { Field } = formOf(changePitPoint)

const refreshes = [listPitPointChanges, pitInfo, findPitPoints]
const most = 20

/** Actions on a point's instrument: mark it damaged or replace it. */
export function PitPointActions({ point }: { point: PitPoint }) {
  const may = useCan(changePitPoint, { projectCode: point.projectCode })
  const [kind, setKind] = useState<'damaged' | 'replaced'>()
  const { projectCode, deviceId, pointCode, unit } = point
  const changes = useCall(listPitPointChanges, { query: { projectCode, deviceId, pointCode, size: most } }, { quiet: true })
  const list = changes.data?.list ?? []
  return (
    <>
      {list.length > 0 && <div className="mon-sub">测点更换</div>}
      {list.map((one) => (
        <p key={one.id} className="pit-foot">
          {time(one.at).slice(0, 16)} {pointChangeKinds[one.kind]}
          {one.value !== null && `，${one.kind === 'replaced' ? '接续' : '末次'} ${measure(one.value, 2)} ${unit}`}
          {one.initial !== null && one.initial !== 0 && `，初始 ${measure(one.initial, 2)}`}，{one.reason}（{one.byName}）
          {one.files.map((href, n) => (
            <a key={href} href={href} target="_blank" rel="noreferrer">
              　照片 {n + 1}
            </a>
          ))}
        </p>
      ))}
      {may && (
        <div className="pit-changes">
          {!point.damaged && (
            <Button size="small" onClick={() => setKind('damaged')}>
              标记损坏
            </Button>
          )}
          <Button size="small" onClick={() => setKind('replaced')}>
            更换测点
          </Button>
        </div>
      )}
      {kind && <ChangeForm kind={kind} point={point} onClose={() => setKind(undefined)} />}
    </>
  )
}

function ChangeForm({ kind, point, onClose }: { kind: 'damaged' | 'replaced'; point: PitPoint; onClose: () => void }) {
  const { projectCode, deviceId, pointCode, unit } = point
  const act = useAct(changePitPoint, { success: kind === 'damaged' ? '已标记损坏' : '已登记更换', refreshes, onDone: onClose })
  const byDepth = point.pointType === 'deepHorizontal' && point.profile.length > 0
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title={kind === 'damaged' ? '标记测点损坏' : '更换测点'}
      remark={pointCode}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof changePitPoint>) => ({
        query: { projectCode },
        body: { ...body, deviceId, pointCode, kind, initial: body.initial ?? null, carried: body.carried ?? null },
      })}
      onClose={onClose}
    >
      <p className="zg-2">
        {kind === 'damaged'
          ? '从现在起这个测点的读数不再计入占比、速率与报警判断，直到更换；已有的告警仍需办理。'
          : byDepth
            ? '从现在起各深度接着损坏前最后一次有效读数累计，新管初值按 0 计。'
            : '从现在起上报值减去初始值、加上接续值作为累计值；人工导入的累计值不再加。'}
      </p>
      {kind === 'replaced' && !byDepth && (
        <>
          <Field name="carried" label={`接续累计值（${unit}）`} help="不填用损坏前最后一次有效读数">
            <NumberInput />
          </Field>
          <Field name="initial" label={`新测点初始值（${unit}）`} help="新测点装好时的上报值，不填为 0">
            <NumberInput />
          </Field>
        </>
      )}
      <Field name="reason" label={kind === 'damaged' ? '损坏原因' : '更换说明'} required>
        <LongText rows={3} maxLength={200} />
      </Field>
      <Field name="files" label="照片">
        <Upload max={6} maxMb={20} accept="image/*" />
      </Field>
    </FormDrawer>
  )
}
