import {
  type CivilDetail,
  type CivilPoint,
  changeCivilCheck,
  createCivilCheck,
  getCivilCheck,
  listCivilPoints,
} from '@zhugong/contract/civil/inspection'
import { scoreCivil } from '@zhugong/contract/civil/score'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Forbidden, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, marks, paths } from './civil-words.tsx'
import './civil.css'
import { NewPoint, PointCard } from './point-card.tsx'
import { type AtPoint, fresh, inDays, itemsOf, usualDays, type WalkDraft } from './walk-model.ts'

/** The fixed points one after another, on a phone. `?id=` opens a walk that was begun. */
export default function CivilEditPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createCivilCheck} fallback={<Forbidden code="inspection.check" />}>
      {id ? (
        <Draft id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="检查哪个项目" />
      ) : (
        <Points key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

function Draft({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getCivilCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Points projectCode={data.projectCode} draft={data} />
}

function Points({ projectCode, draft }: { projectCode: string; draft?: CivilDetail }) {
  const { data, error, refetch } = useCall(listCivilPoints, { query: { projectCode } }, { quiet: true, offline: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Walk projectCode={projectCode} points={data.points} versionName={data.versionName} draft={draft} />
}

function begin(draft: CivilDetail | undefined): WalkDraft {
  const at = (draft?.points ?? []).map((one): [string, AtPoint] => {
    const problem = draft?.problems.find((each) => each.part === one.name)
    return [
      one.pointId,
      {
        skipped: one.skipped,
        note: one.note,
        photos: one.photos,
        items: Object.fromEntries(
          one.items.map(({ itemCode, result, deduction, note }) => [itemCode, { itemCode, result, deduction, note }]),
        ),
        blame: { corpCode: problem?.corpCode ?? '', person: problem?.person ?? null, deadline: problem?.deadline ?? inDays(usualDays) },
      },
    ]
  })
  const first = at.findIndex(([, one]) => one.photos.length === 0 && one.skipped === null)
  return { id: draft?.id ?? uid(), remark: draft?.remark ?? '', at: Object.fromEntries(at), step: first > 0 ? first : 0 }
}

function Walk({
  projectCode,
  points,
  versionName,
  draft,
}: {
  projectCode: string
  points: readonly CivilPoint[]
  versionName: string
  draft: CivilDetail | undefined
}) {
  const page = usePage()
  const [initial] = useState(() => begin(draft))
  // A walk survives a closed browser; a draft of the server that was changed elsewhere begins anew.
  const [held, hold, clear] = useDeviceDraft(draft ? `civil ${draft.id} ${draft.version}` : `civil ${projectCode}`, initial)
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const { id, remark, at, step } = held ?? initial
  const saved = { success: '已保存', onDone: () => leave(hrefOf(paths.list, { tab: 'own' })), onKept: () => leave(paths.list) }
  const submitted = { success: '检查已提交', onDone: () => leave(hrefOf(paths.detail, { id })), onKept: () => leave(paths.list) }
  const make = { save: useFieldAct(createCivilCheck, saved), submit: useFieldAct(createCivilCheck, submitted) }
  const change = { save: useFieldAct(changeCivilCheck, saved), submit: useFieldAct(changeCivilCheck, submitted) }
  const acts = [make.save, make.submit, change.save, change.submit]
  const running = acts.some((one) => one.running)
  const wrong = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  if (!held) return <DetailSkeleton />
  const set = (more: Partial<WalkDraft>) => hold({ ...held, ...more })
  const foundAt = (point: CivilPoint): AtPoint => at[point.id] ?? fresh()
  const put = (point: CivilPoint, more: Partial<AtPoint>) => set({ at: { ...at, [point.id]: { ...foundAt(point), ...more } } })
  const resultOf = (point: CivilPoint, itemCode: string) => foundAt(point).items[itemCode]?.result ?? itemResults.unchecked
  const isDone = (point: CivilPoint): boolean => {
    const one = foundAt(point)
    return one.skipped !== null
      ? one.skipped !== ''
      : one.photos.length > 0 && itemsOf(point, draft).every((item) => resultOf(point, item.itemCode) !== itemResults.unchecked)
  }
  const isBad = (point: CivilPoint) => Object.values(foundAt(point).items).some((one) => one.result === itemResults.wrong)
  const current = points[Math.min(step, points.length - 1)]
  const live = scoreCivil(
    points.map((point) => ({
      area: point.area,
      skipped: foundAt(point).skipped !== null,
      items: itemsOf(point, draft).map(({ itemCode, maxScore }) => ({
        maxScore,
        result: resultOf(point, itemCode),
        deduction: foundAt(point).items[itemCode]?.deduction ?? 0,
      })),
    })),
  )
  const undone = points.filter((one) => !isDone(one))
  const skipped = points.filter((one) => foundAt(one).skipped !== null)

  const send = (action: 'save' | 'submit') => {
    const walked = points.filter((point) => action === 'submit' || at[point.id])
    const problems = walked.flatMap((point) => {
      const { items, blame, photos, skipped: left } = foundAt(point)
      return left !== null
        ? []
        : itemsOf(point, draft).flatMap(({ itemCode, name }) => {
            const item = items[itemCode]
            if (item?.result !== itemResults.wrong) return []
            const words = `${name}：${item.note || '不符合要求'}`.slice(0, 500)
            return [
              {
                description: words,
                part: point.name,
                placeId: point.placeId,
                pin: point.pin,
                itemCode,
                dangerLevel: '1',
                requirement: `按“${name}”要求整改到位`,
                ...blame,
                photos: photos.slice(0, 1),
              },
            ]
          })
    })
    const body = {
      action,
      checkers: draft?.checkers ?? [],
      remark: remark || null,
      points: walked.map((point) => {
        const { items, skipped: left, note, photos } = foundAt(point)
        return {
          pointId: point.id,
          skipped: left,
          note,
          photos,
          items: itemsOf(point, draft).flatMap(({ itemCode }) => items[itemCode] ?? []),
        }
      }),
      problems,
    }
    const query = { projectCode }
    const about = {
      id,
      title: '文明施工检查',
      page: paths.list,
      lines: problems.map((one) => ({ label: one.part, text: one.description })),
    }
    return draft
      ? change[action].run({ params: { id }, query, body: { version: draft.version, ...body } }, about)
      : make[action].run({ query, body: { id, ...body } }, about)
  }
  const faults = [...new Set(Object.values(wrong))]
  return (
    <div className="zg-page">
      <PageTitle title="文明施工检查" remark={`${versionName}；随走随存在本机，没有网络也能提交`} />
      <div className="check-field">
        <div>
          <Card title="点位" remark={`已查 ${points.length - undone.length} / ${points.length}，暂计 ${marks(live.score)} 分`}>
            {points.length === 0 ? (
              <Empty small text="还没有点位" hint="先在下面设点，以后每次按同样的点走" />
            ) : (
              <nav className="civil-nav" aria-label="点位">
                {points.map((point, i) => (
                  <button
                    key={point.id}
                    type="button"
                    title={point.name}
                    aria-label={`${i + 1} ${point.name}`}
                    aria-current={i === step}
                    data-done={isDone(point) ? '' : undefined}
                    data-bad={isBad(point) ? '' : undefined}
                    onClick={() => set({ step: i })}
                  >
                    {i + 1}
                  </button>
                ))}
              </nav>
            )}
          </Card>
          {current && (
            <PointCard
              key={current.id}
              no={Math.min(step, points.length - 1) + 1}
              point={current}
              items={itemsOf(current, draft)}
              value={foundAt(current)}
              corps={people.data?.corps ?? []}
              onChange={(more) => put(current, more)}
            />
          )}
          {current && (
            <p className="zg-row zg-gap-6">
              <Button size="large" disabled={step === 0} onClick={() => set({ step: step - 1 })}>
                上一点
              </Button>
              <Button size="large" type="primary" ghost disabled={step >= points.length - 1} onClick={() => set({ step: step + 1 })}>
                下一点
              </Button>
            </p>
          )}
          <NewPoint projectCode={projectCode} />
          {skipped.length > 0 && (
            <Notice tone="warning">
              跳过 {skipped.length} 个点位：{skipped.map((one) => `${one.name}（${foundAt(one).skipped || '未填原因'}）`).join('、')}
            </Notice>
          )}
          {faults.length > 0 && <Notice tone="danger">{faults.join('；')}</Notice>}
          <Card title="检查情况" remark="可不填">
            <Input.TextArea
              aria-label="检查情况"
              rows={2}
              maxLength={500}
              value={remark}
              onChange={(event) => set({ remark: event.target.value })}
            />
          </Card>
        </div>
      </div>
      <div className="check-bar">
        <Button size="large" loading={running} disabled={Object.keys(at).length === 0} onClick={() => void send('save')}>
          保存
        </Button>
        <Button
          type="primary"
          size="large"
          loading={running}
          disabled={points.length === 0 || undone.length > 0}
          onClick={() => void send('submit')}
        >
          {undone.length > 0 ? `还有 ${undone.length} 个点位` : `提交 ${marks(live.score)} 分`}
        </Button>
      </div>
    </div>
  )
}
