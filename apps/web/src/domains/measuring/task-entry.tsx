import { judgeArea, pastedNumbers, pointResults } from '@zhugong/contract/measuring/judge'
import { taskStates } from '@zhugong/contract/measuring/moves'
import { changeMeasureTask, type MeasureTaskDetail, type TaskItem } from '@zhugong/contract/measuring/tasks'
import { Button, Input, Select, Upload } from 'antd'
import { useRef, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { DetailSkeleton, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { notify } from '#kit/notify.ts'
import { type Mark, PlanBoard, usePlaces } from '../places/public.tsx'
import { EntryGrid } from './entry-grid.tsx'
import { areasToSend, type EntryDraft, emptyArea, type HeldArea, heldFrom, keyOf, progressOf } from './held.ts'
import { anyProject, Labelled, paths } from './words.tsx'

/** Measuring one task: places and plan left, the points of one item right. What is typed stays on the device until it is sent. */
export function TaskEntry({ task, onDone }: { task: MeasureTaskDetail; onDone: () => void }) {
  const [fresh] = useState(() => heldFrom(task))
  const [kept, hold, clear] = useDeviceDraft<EntryDraft>(`measure ${task.id} ${stageOf(task)}`, fresh)
  const latest = useRef<EntryDraft>(fresh)
  const allowedActions = new Set(task.actions.map((one) => one.action))
  const entryDraft = kept ?? fresh
  latest.current = entryDraft
  const change = (more: Partial<EntryDraft>) => {
    latest.current = { ...latest.current, ...more }
    hold(latest.current)
  }
  const version = entryDraft.started ?? task.version
  const start = useFieldAct(changeMeasureTask, {
    success: '已开始测量',
    onDone: () => change({ started: null }),
    onKept: () => change({ started: task.version + 1 }),
  })
  const sent = useRef<readonly string[]>([])
  const settle = () => change({ dirty: latest.current.dirty.filter((key) => !sent.current.includes(key)) })
  const save = useFieldAct(changeMeasureTask, { success: '测点已保存', onDone: settle, onKept: settle })
  const leave = () => {
    clear()
    onDone()
  }
  const submit = useFieldAct(changeMeasureTask, {
    success: (data) => (data?.state === taskStates.done ? '已提交，达到目标' : '已提交，不合格测点转责任分包整改'),
    onDone: leave,
    onKept: leave,
  })
  if (!kept) return <DetailSkeleton />
  const running = task.state === taskStates.running || task.state === taskStates.own || entryDraft.started !== null
  const editable = running && (allowedActions.has('saveRecords') || entryDraft.started !== null)
  const wrong = { ...save.fieldErrors, ...submit.fieldErrors, ...start.fieldErrors }
  const all = progressOf(
    entryDraft,
    task.places.map((one) => one.id),
    task.items,
  )
  const about = (what: string) => ({
    id: `measure ${task.id} ${what} ${Date.now()}`,
    title: `实测实量 ${task.taskName}`,
    page: `${paths.tasks}?task=${task.id}`,
    lines: [{ label: what, text: `已测 ${all.measured} / ${all.total} 点` }],
  })
  const begin = () => start.run({ query: anyProject, body: { action: 'start', id: task.id, version: task.version } }, about('开始测量'))
  const store = () => {
    sent.current = latest.current.dirty
    return save.run(
      {
        query: anyProject,
        body: { action: 'saveRecords', id: task.id, version, areas: areasToSend(latest.current), instrumentNo: entryDraft.instrumentNo },
      },
      about('保存测点'),
    )
  }
  const finish = async () => {
    if (all.bare > 0) return notify.error(`${all.bare} 个爆点还没有照片`)
    const missing = all.total - all.measured
    const sure =
      missing === 0 ||
      (await confirmDanger({
        thing: `提交时还有 ${missing} 个测点未测`,
        consequence: '未测的测点不计入合格率；提交后不能再补测。',
        verb: '提交',
        keep: '继续测量',
      }))
    if (!sure) return
    await submit.run(
      {
        query: anyProject,
        body: { action: 'submit', id: task.id, version, areas: areasToSend(latest.current), instrumentNo: entryDraft.instrumentNo },
      },
      about('提交'),
    )
  }
  const put = (key: string, area: HeldArea) =>
    change({
      areas: { ...latest.current.areas, [key]: area },
      dirty: latest.current.dirty.includes(key) ? latest.current.dirty : [...latest.current.dirty, key],
    })
  return (
    <>
      {allowedActions.has('start') && entryDraft.started === null && (
        <Notice
          tone="info"
          actions={
            <Button type="primary" size="large" loading={start.running} onClick={() => void begin()}>
              开始测量
            </Button>
          }
        >
          开始后录入测点；随写随存在本机，没有网络也能测
        </Notice>
      )}
      <Desk
        task={task}
        held={entryDraft}
        editable={editable}
        onChange={put}
        onInstrument={(instrumentNo) => change({ instrumentNo })}
        wrong={wrong}
      />
      {editable && (
        <div className="measuring-bar">
          <span className="zg-2" role="status">
            已测 {all.measured} / {all.total}，不合格 {all.failed}，爆点 {all.burst}
            {entryDraft.dirty.length > 0 ? `；${entryDraft.dirty.length} 个测区未保存` : ''}
          </span>
          <Button
            size="large"
            className="zg-end"
            disabled={entryDraft.dirty.length === 0}
            loading={save.running}
            onClick={() => void store()}
          >
            保存
          </Button>
          <Button size="large" type="primary" disabled={all.measured === 0} loading={submit.running} onClick={() => void finish()}>
            提交
          </Button>
        </div>
      )}
    </>
  )
}

const whileMeasuring: readonly string[] = [taskStates.assigned, taskStates.running, taskStates.own]
/** One stage from the first tap to the submission: a start that is sent later must not hide what was typed meanwhile. */
const stageOf = ({ state }: MeasureTaskDetail) => (whileMeasuring.includes(state) ? 'entry' : state)

interface DeskProps {
  task: MeasureTaskDetail
  held: EntryDraft
  editable: boolean
  onChange: (key: string, area: HeldArea) => void
  onInstrument: (no: string | null) => void
  wrong: Readonly<Record<string, string>>
}

function Desk({ task, held, editable, onChange, onInstrument, wrong }: DeskProps) {
  const [placeId, setPlaceId] = useState(task.places[0]?.id ?? '')
  const [no, setNo] = useState(task.items[0]?.no ?? 1)
  const [active, setActive] = useState(1)
  const item = task.items.find((one) => one.no === no)
  const at = (areaNo: number) => held.areas[keyOf(placeId, no, areaNo)]
  return (
    <div className="measuring-desk">
      <div className="measuring-left">
        <nav className="measuring-places" aria-label="部位">
          {task.places.map((place) => {
            const { measured, total, failed, burst } = progressOf(held, [place.id], task.items)
            return (
              <button key={place.id} type="button" aria-current={place.id === placeId} onClick={() => setPlaceId(place.id)}>
                <b>{place.name}</b>
                <small className={burst ? 'tone-danger' : undefined}>
                  {measured} / {total}
                  {failed + burst > 0 ? `，${failed + burst} 点不合格` : ''}
                </small>
              </button>
            )
          })}
        </nav>
        {item && <Plan task={task} held={held} placeId={placeId} item={item} active={active} editable={editable} onChange={onChange} />}
      </div>
      <div className="measuring-right">
        <nav className="measuring-items" aria-label="测项">
          {task.items.map((one) => {
            const { measured, total, failed, burst } = progressOf(held, [placeId], [one])
            return (
              <button
                key={one.no}
                type="button"
                aria-current={one.no === no}
                onClick={() => {
                  setNo(one.no)
                  setActive(1)
                }}
              >
                <b>{one.standardName}</b>
                <small className={burst ? 'tone-danger' : failed ? 'tone-warning' : measured === total ? 'tone-fine' : undefined}>
                  {measured} / {total}
                </small>
              </button>
            )
          })}
        </nav>
        {item && (
          <>
            {editable && (
              <Instrument
                item={item}
                value={held.instrumentNo}
                error={wrong.instrumentNo}
                onChange={onInstrument}
                onValues={(values) => fill(item, values, at, (areaNo, area) => onChange(keyOf(placeId, no, areaNo), area))}
              />
            )}
            {wrong.areas && (
              <p className="tone-danger" role="alert">
                {wrong.areas}
              </p>
            )}
            <EntryGrid
              key={`${placeId} ${no}`}
              item={item}
              areaAt={at}
              active={active}
              onActive={setActive}
              locked={item.forbidManual}
              onChange={editable ? (areaNo, area) => onChange(keyOf(placeId, no, areaNo), area) : undefined}
            />
          </>
        )}
      </div>
    </div>
  )
}

/** Spreads the values of an instrument's file over the areas, in their order. */
function fill(
  item: TaskItem,
  values: readonly (number | null)[],
  at: (no: number) => HeldArea | undefined,
  put: (no: number, area: HeldArea) => void,
) {
  const room = item.areaCount * item.pointCount
  if (values.length > room) return void notify.error(`文件有 ${values.length} 个值，本测项只有 ${room} 个测点`)
  for (let areaNo = 1; (areaNo - 1) * item.pointCount < values.length; areaNo++) {
    const area = at(areaNo) ?? emptyArea(item)
    const part = values.slice((areaNo - 1) * item.pointCount, areaNo * item.pointCount)
    put(areaNo, { ...area, values: area.values.map((one, i) => (i < part.length ? (part[i] ?? null) : one)) })
  }
}

/** The number of the instrument, and its file where typing is not allowed. */
function Instrument({
  item,
  value,
  error,
  onChange,
  onValues,
}: {
  item: TaskItem
  value: string | null
  error: string | undefined
  onChange: (no: string | null) => void
  onValues: (values: (number | null)[]) => void
}) {
  const read = async (file: File) => {
    const text = await file.text()
    // The last column holds the values; lines without a number are heads.
    const last = text.split(/\r?\n/).flatMap(
      (line) =>
        line
          .split(/[,;\t]/)
          .at(-1)
          ?.trim() ?? [],
    )
    const values = pastedNumbers(last.filter((one) => one !== '' && Number.isFinite(Number(one))).join('\n'))
    if (values?.length) onValues(values)
    else notify.error('文件中没有测值：每行一个测点，测值在最后一列')
  }
  return (
    <div className="measuring-fields">
      <Labelled label="仪器编号" error={error}>
        {(id) => (
          <Input
            id={id}
            maxLength={50}
            placeholder={item.forbidManual ? '本项必填' : '可不填'}
            value={value ?? ''}
            onChange={(event) => onChange(event.target.value || null)}
          />
        )}
      </Labelled>
      {item.forbidManual && (
        <Notice
          tone="warning"
          actions={
            <Upload
              accept=".csv,.txt"
              showUploadList={false}
              beforeUpload={(file) => {
                void read(file)
                return false
              }}
            >
              <Button disabled={!value}>读取仪器文件</Button>
            </Upload>
          }
        >
          本项禁止手工录入：先填仪器编号，再读取仪器导出的文件，或从其粘贴一列
        </Notice>
      )}
    </div>
  )
}

/** The plan with the areas of the item; a tap sets the active one. */
function Plan({
  task,
  held,
  placeId,
  item,
  active,
  editable,
  onChange,
}: Pick<DeskProps, 'task' | 'held' | 'editable' | 'onChange'> & { placeId: string; item: TaskItem; active: number }) {
  const places = usePlaces(task.projectCode, { offline: true })
  const [planId, setPlanId] = useState<string>()
  const own = places?.planFor(placeId)
  const shown =
    task.plans.find((one) => one.id === planId) ??
    (own ? { id: own.id, name: own.name, picture: own.picture, ratio: own.ratio } : undefined)
  if (!shown) return <p className="zg-2">该部位没有平面图，可在项目设置的“部位”中上传</p>
  const marks: Mark[] = task.places.flatMap((place) =>
    Array.from({ length: item.areaCount }, (_, i) => i + 1).flatMap((areaNo) => {
      const area = held.areas[keyOf(place.id, item.no, areaNo)]
      if (area?.pin?.planId !== shown.id) return []
      const verdicts = judgeArea(item, area.designValue, area.values)
      const bad = verdicts.filter((one) => one && one.result !== pointResults.passed).length
      return [
        {
          key: `${place.id} ${areaNo}`,
          label: String(areaNo),
          x: area.pin.x,
          y: area.pin.y,
          title: `${place.name} 测区 ${areaNo}${bad > 0 ? `，${bad} 点不合格` : ''}`,
          closed: bad === 0,
        },
      ]
    }),
  )
  const key = keyOf(placeId, item.no, active)
  return (
    <div>
      {task.plans.length > 1 && (
        <Select
          aria-label="平面图"
          className="measuring-plan-pick"
          value={shown.id}
          options={task.plans.map((one) => ({ value: one.id, label: one.name }))}
          onChange={setPlanId}
        />
      )}
      <PlanBoard
        plan={shown}
        marks={marks}
        {...(editable
          ? { onTap: (x: number, y: number) => onChange(key, { ...(held.areas[key] ?? emptyArea(item)), pin: { planId: shown.id, x, y } }) }
          : {})}
      />
      {editable && <small className="zg-2">点平面图标出测区 {active} 的位置</small>}
    </div>
  )
}
