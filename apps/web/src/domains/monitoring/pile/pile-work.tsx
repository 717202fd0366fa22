import { listPiles } from '@zhugong/contract/monitoring/pile/pile-register'
import {
  addPileTrouble,
  endPile,
  listPileTroubles,
  listPileWork,
  type PileWork,
  pileTroubles,
  startPile,
} from '@zhugong/contract/monitoring/pile/pile-work'
import { findPiles, pileInfo } from '@zhugong/contract/monitoring/pile/piles'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { measure, time } from '#kit/format.ts'
import { Choice, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import './pile.css'

/** More piles than any site has. */
const most = 1_000
const shown = 5
const refreshes = [listPileWork, listPileTroubles, pileInfo, listPiles, findPiles]

const begin = formOf(startPile)
const end = formOf(endPile)
const trouble = formOf(addPileTrouble)

interface Rig {
  deviceId: string
  deviceName: string
  projectCode: string
}

/** Actions at a rig: start and end a pile, report a problem. */
export function PileWorkActions({ rig, work, depth }: { rig: Rig; work: PileWork | null; depth: number | undefined }) {
  const may = useCan(startPile, { projectCode: rig.projectCode })
  const [dialog, setDialog] = useState<'start' | 'end' | 'trouble'>()
  const close = () => setDialog(undefined)
  if (!may) return null
  return (
    <>
      {work ? (
        <Button type="primary" onClick={() => setDialog('end')}>
          结束成桩
        </Button>
      ) : (
        <Button type="primary" onClick={() => setDialog('start')}>
          开始成桩
        </Button>
      )}
      <Button onClick={() => setDialog('trouble')}>记录异常</Button>
      {dialog === 'start' && <StartForm rig={rig} onClose={close} />}
      {dialog === 'end' && work && <EndForm work={work} depth={depth} onClose={close} />}
      {dialog === 'trouble' && <TroubleForm rig={rig} work={work} depth={depth} onClose={close} />}
    </>
  )
}

const open: readonly string[] = ['planned', 'late', 'made', 'doubtful', 'failed']

function StartForm({ rig, onClose }: { rig: Rig; onClose: () => void }) {
  const { projectCode, deviceId } = rig
  const piles = useCall(listPiles, { query: { projectCode, size: most, sort: 'pileNo', state: open.join() } }, { quiet: true })
  const act = useAct(startPile, { success: '已开始成桩', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="开始成桩"
      remark={rig.deviceName}
      initial={{}}
      input={(body: BodyOf<typeof startPile>) => ({ query: { projectCode }, body: { ...body, deviceId } })}
      onClose={onClose}
    >
      <begin.Field name="pileId" label="桩号" required help="桩机没有写桩号的成桩记录归入这根桩；已有记录的桩再成一次时都保留">
        <Choice
          loading={piles.isPending}
          options={(piles.data?.list ?? []).map((one) => ({
            value: one.id,
            label: [one.pileNo, one.axis, `设计 ${measure(one.designDepth ?? one.designLength, 1)} m`].filter(Boolean).join('　'),
          }))}
        />
      </begin.Field>
    </FormDrawer>
  )
}

function EndForm({ work, depth, onClose }: { work: PileWork; depth: number | undefined; onClose: () => void }) {
  const act = useAct(endPile, { success: '已结束成桩', refreshes, onDone: onClose })
  const short = depth === undefined || depth < work.designDepth
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={`结束成桩 ${work.pileNo}`}
      remark={`开始 ${time(work.startedAt).slice(0, 16)}，现深 ${measure(depth, 2)} m，设计 ${measure(work.designDepth, 2)} m`}
      initial={{}}
      input={(body: BodyOf<typeof endPile>) => ({ params: { id: work.id }, query: { projectCode: work.projectCode }, body })}
      onClose={onClose}
    >
      <end.Field name="note" label="说明" required={short} help={short ? '没有读数或未到设计深度，请说明原因' : '可不填'}>
        <LongText rows={3} maxLength={200} />
      </end.Field>
    </FormDrawer>
  )
}

interface TroubleProps {
  rig: Rig
  work: PileWork | null
  depth: number | undefined
  onClose: () => void
}

function TroubleForm({ rig, work, depth, onClose }: TroubleProps) {
  const act = useAct(addPileTrouble, { success: '已记录', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="记录异常"
      remark={[rig.deviceName, work?.pileNo ?? '未登记开始成桩'].join('　')}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof addPileTrouble>) => ({
        query: { projectCode: rig.projectCode },
        body: { ...body, deviceId: rig.deviceId, depth: body.depth ?? null },
      })}
      onClose={onClose}
    >
      <trouble.Field name="kind" label="类型" required>
        <Choice clear={false} options={Object.entries(pileTroubles).map(([value, label]) => ({ value, label }))} />
      </trouble.Field>
      <trouble.Field name="depth" label="深度（m）" help={depth === undefined ? undefined : `不填取桩机现深 ${measure(depth, 2)} m`}>
        <NumberInput />
      </trouble.Field>
      <trouble.Field name="text" label="情况与处理" required>
        <LongText rows={3} maxLength={300} />
      </trouble.Field>
      <trouble.Field name="files" label="现场照片" required>
        <Upload max={6} maxMb={20} accept="image/*" />
      </trouble.Field>
    </FormDrawer>
  )
}

/** Recent problems at the rig. */
export function PileTroubles({ rig }: { rig: Rig }) {
  const { data } = useCall(
    listPileTroubles,
    { query: { projectCode: rig.projectCode, deviceId: rig.deviceId, size: shown } },
    { quiet: true },
  )
  const list = data?.list ?? []
  if (list.length === 0) return null
  return (
    <>
      <div className="mon-sub">异常记录</div>
      <ul className="pile-troubles">
        {list.map((one) => (
          <li key={one.id}>
            {time(one.at).slice(5, 16)} {one.pileNo ?? '未指定桩号'} {one.depth === null ? '' : `${measure(one.depth, 1)} m `}
            {pileTroubles[one.kind]}：{one.text}（{one.byName}）
            {one.files.map((href, n) => (
              <a key={href} href={href} target="_blank" rel="noreferrer">
                　照片 {n + 1}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}
