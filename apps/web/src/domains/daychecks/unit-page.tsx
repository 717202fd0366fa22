import { changeDayCheck, type DayCheckDetail, type DayCheckUnit, getDayCheck } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { itemResults, type ScoredSheet, scoreAll } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { refresh, useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { useUnsaved } from '#kit/unsaved.ts'
import { Thumb } from '#kit/viewers.tsx'
import { type Found, GradeTag, marks, SheetCards, SheetTable } from '../scoring/public.tsx'
import { checkKey, emptyUnit, foundOf, isWhole, stillWaiting, type UnitDraft, unitKey, withDraft } from './day-draft.ts'
import './daychecks.css'

/** One unit, item by item; read only once the check is submitted. */
export default function UnitPage() {
  const query = usePageQuery()
  const [id, unitId] = [query.get('id') ?? '', query.get('unit') ?? '']
  const go = useGo()
  const read = useCall(
    getDayCheck,
    { params: { id }, query: { projectCode: '*' } },
    { quiet: true, staleMs: 0, offline: true, enabled: id !== '' },
  )
  const file = read.data
  const unit = file?.units.find((one) => one.id === unitId) ?? file?.units[0]
  if (read.error)
    return (
      <PageShell>
        <ErrorPanel error={read.error} retry={read.refetch} />
      </PageShell>
    )
  if (id !== '' && !file)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  if (!file || !unit)
    return (
      <PageShell>
        <Empty text="未选择受检单体" hint="从一次检查中打开">
          <Button onClick={() => go('/jgt/daycheck')}>去日常检查</Button>
        </Empty>
      </PageShell>
    )
  return <Unit key={unit.id} file={file} stored={unit} taskId={query.get('taskId') ?? undefined} />
}

/** `taskId`: opened from a campaign, to which it leads back; there each discipline writes its own sheets. */
function Unit({ file, stored, taskId }: { file: DayCheckDetail; stored: DayCheckUnit; taskId: string | undefined }) {
  const go = useGo()
  const [check] = useDeviceDraft<{ arrived?: boolean }>(checkKey(file.id), {})
  const isRunning = file.state === dayCheckStates.running || (file.state === dayCheckStates.planned && check?.arrived === true)
  const at = file.units.indexOf(stored)
  const own = stored.sheets.filter((one) => file.writable?.includes(one.sheetCode) ?? true)
  const to = (unit: DayCheckUnit | undefined) => unit && go('/jgt/daycheck/momomerCheck', { id: file.id, unit: unit.id, taskId })
  const remark = [stored.part, stored.structureTypeName, stored.height && `${stored.height} m`, stored.phaseName]
    .filter(Boolean)
    .join(' · ')
  return (
    <PageShell
      title={stored.name}
      remark={`${file.projectName}${remark && ` · ${remark}`}`}
      actions={
        <>
          <Button disabled={at <= 0} onClick={() => to(file.units[at - 1])}>
            上一单体
          </Button>
          <Button disabled={at >= file.units.length - 1} onClick={() => to(file.units[at + 1])}>
            下一单体
          </Button>
          <Button
            onClick={() =>
              taskId
                ? go('/jgt/provinces/project/momomerCheck', { taskId })
                : go(isRunning ? '/jgt/daycheck/edit' : '/jgt/daycheck/details', { id: file.id })
            }
          >
            返回检查
          </Button>
        </>
      }
    >
      <div className="day-desk">
        {isRunning && file.mine ? (
          <>
            {own.length > 0 && <Scoring file={file} stored={{ ...stored, sheets: own }} />}
            {stored.sheets
              .filter((one) => !own.includes(one))
              .map((sheet) => (
                <SheetTable key={sheet.id} sheet={sheet} />
              ))}
          </>
        ) : (
          <>
            {isRunning && <Notice tone="info">您不是本次检查的检查人员，只能查看。</Notice>}
            {stored.sheets.map((sheet) => (
              <SheetTable key={sheet.id} sheet={sheet} />
            ))}
          </>
        )}
      </div>
    </PageShell>
  )
}

const scoredOf = ({ name, category, notApplicable, items }: DayCheckUnit['sheets'][number]): ScoredSheet => ({
  name,
  category,
  notApplicable: notApplicable !== null,
  items,
})

function Scoring({ file, stored }: { file: DayCheckDetail; stored: DayCheckUnit }) {
  const page = usePage()
  const go = useGo()
  const [kept, setKept] = useDeviceDraft<UnitDraft>(unitKey(stored.id), emptyUnit)
  const draft = kept ?? emptyUnit
  // A photograph may arrive while something else is typed: merged with what is newest.
  const latest = useRef(draft)
  latest.current = draft
  const put = (more: Partial<UnitDraft>) => {
    latest.current = { ...latest.current, ...more }
    setKept(latest.current)
  }
  const outcome = useRef<'sent' | 'kept' | 'refused'>('refused')
  const act = useFieldAct(changeDayCheck, {
    success: '单体检查已保存',
    onDone: () => {
      outcome.current = 'sent'
    },
    onKept: () => {
      outcome.current = 'kept'
    },
  })
  const unit = withDraft(stored, draft)
  const [shown, setShown] = useState(unit.sheets.find((one) => one.notApplicable === null && !one.done)?.id ?? unit.sheets[0]?.id)
  const sheet = unit.sheets.find((one) => one.id === shown)
  const changes = Object.values(draft.items).reduce((n, one) => n + Object.keys(one).length, 0) + Object.keys(draft.notApplicable).length
  useUnsaved(changes > 0, page.cacheKey, `${stored.name}检查`)
  const live = scoreAll(unit.sheets.map(scoredOf), file.categories)
  const fullOf = (sheetId: string, code: string) =>
    stored.sheets.find((one) => one.id === sheetId)?.items.find((one) => one.itemCode === code)?.maxScore ?? 0

  const save = async (done: boolean, more: UnitDraft['notApplicable'] = {}): Promise<boolean> => {
    const waiting = stillWaiting(stored, latest.current)
    const now = latest.current
    const items = merged(waiting?.items, now.items)
    const notApplicable = { ...waiting?.notApplicable, ...now.notApplicable, ...more }
    const whole = Object.entries(items).flatMap(([sheetId, all]) =>
      Object.entries(all).flatMap(([itemCode, found]) =>
        isWhole(found, fullOf(sheetId, itemCode)) ? [{ sheetId, itemCode, ...found }] : [],
      ),
    )
    const reasons = stored.sheets.flatMap(({ id: sheetId, notApplicable: before }) => {
      const reason = sheetId in notApplicable ? notApplicable[sheetId] : before
      return reason ? [{ sheetId, reason }] : []
    })
    const version = stored.version
    outcome.current = 'refused'
    await act.run(
      {
        params: { id: file.id },
        query: { projectCode: '*' },
        body: { action: 'saveUnit', version, actKey: uid(), taskId: stored.id, notApplicable: reasons, items: whole, done },
      },
      {
        id: `daycheck-unit ${stored.id} ${version}`,
        title: `${file.projectName} ${stored.name}`,
        page: `/jgt/daycheck/momomerCheck?id=${file.id}&unit=${stored.id}`,
        lines: whole
          .filter((one) => one.result === itemResults.wrong)
          .map((one) => ({
            label: unit.sheets.flatMap((s) => s.items).find(({ itemCode }) => itemCode === one.itemCode)?.name ?? one.itemCode,
            text: one.note ?? '',
          })),
      },
    )
    const result: string = outcome.current
    if (result === 'refused') {
      // The other officer may have saved the unit: the page reads it again and keeps what was typed here.
      refresh(getDayCheck)
      return false
    }
    const sent = Object.fromEntries(
      Object.entries(items).map(([id, all]) => [
        id,
        Object.fromEntries(Object.entries(all).filter(([code, found]) => isWhole(found, fullOf(id, code)))),
      ]),
    )
    const left = Object.fromEntries(
      Object.entries(latest.current.items).map(([id, all]) => [
        id,
        Object.fromEntries(Object.entries(all).filter(([code, found]) => sent[id]?.[code] !== found)),
      ]),
    )
    put({ items: left, notApplicable: {}, waiting: { upTo: version + 1, items: sent, notApplicable, done } })
    return true
  }
  const finish = async () => {
    if (await save(true)) go('/jgt/daycheck/edit', { id: file.id })
  }
  const own = sheet ? Object.entries(draft.items[sheet.id] ?? {}) : []
  const hints = new Map(file.lastFindings.filter((one) => one.unitName === stored.name).map((one) => [one.itemCode, one]))
  const open = unit.items - unit.judged
  return (
    <>
      <div className="scoring-live" role="status">
        <span className="score">{marks(live.score)}</span>
        <span>
          <GradeTag grade={live.grade} />
          <small className="zg-2">
            {unit.judged} / {unit.items} 项，本单体按已查项折算
          </small>
        </span>
        <span className="zg-end zg-row zg-gap-6">
          {unit.wrong > 0 && <Tag tone="danger">不合格 {unit.wrong}</Tag>}
          {stillWaiting(stored, draft) && <Tag tone="warning">待传</Tag>}
          <Button type="primary" size="large" loading={act.running} disabled={open > 0} onClick={() => void finish()}>
            {open > 0 ? `还有 ${open} 项` : '完成本单体'}
          </Button>
        </span>
      </div>
      <nav className="scoring-tabs" aria-label="检查表">
        {unit.sheets.map((one) => (
          <button key={one.id} type="button" aria-current={one.id === shown} onClick={() => setShown(one.id)}>
            <b>{one.name}</b>
            <small>
              {one.notApplicable !== null
                ? '不涉及'
                : `${one.items.filter((item) => item.result !== itemResults.unchecked).length} / ${one.items.length}`}
            </small>
          </button>
        ))}
      </nav>
      {sheet && (
        <SheetCards
          key={sheet.id}
          sheet={sheet}
          items={sheet.items}
          unsaved={changes}
          incomplete={own.filter(([code, found]) => !isWhole(found, fullOf(sheet.id, code))).length}
          saving={act.running}
          onChange={(item, more) => {
            const before = latest.current.items[sheet.id]
            put({
              items: {
                ...latest.current.items,
                [sheet.id]: { ...before, [item.itemCode]: { ...(before?.[item.itemCode] ?? foundOf(item)), ...more } },
              },
            })
          }}
          onChangeAll={(all) => put({ items: { ...latest.current.items, [sheet.id]: { ...latest.current.items[sheet.id], ...all } } })}
          onSave={(reason) => save(false, reason === undefined ? {} : { [sheet.id]: reason })}
          next={nextOf(unit.sheets, sheet.id)}
          onNext={setShown}
          hintOf={(item) => {
            const last = hints.get(item.itemCode)
            return (
              last && (
                <Notice tone="warning">
                  {last.day} 检查不合格{last.deduction > 0 && `，扣 ${last.deduction} 分`}：{last.note}
                  {last.photos[0] && <Thumb src={last.photos[0]} name="上次照片" width={64} height={48} />}
                </Notice>
              )
            )
          }}
        />
      )}
    </>
  )
}

function nextOf(sheets: DayCheckUnit['sheets'], id: string): { id: string; name: string } {
  const at = sheets.findIndex((one) => one.id === id)
  const next = sheets[(at + 1) % sheets.length]
  return { id: next?.id ?? id, name: next?.name ?? '' }
}

type Items = Readonly<Record<string, Readonly<Record<string, Found>>>>
const merged = (before: Items | undefined, now: Items): Items =>
  Object.fromEntries([...new Set([...Object.keys(before ?? {}), ...Object.keys(now)])].map((id) => [id, { ...before?.[id], ...now[id] }]))
