import { changeDustCheck, createDustCheck, type DustDetail, dustNow, getDustCheck } from '@zhugong/contract/dustchecks/calls'
import { dustItems } from '@zhugong/contract/dustchecks/items'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Forbidden, Notice, Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { emptyProblem, FailFields, inDays, type Problem } from '../checks/public.tsx'
import { anyProject, evidenceFor, itemWords, paths, ResponseNotice } from './dust-words.tsx'
import './dust.css'

/** The six hundreds on a phone, each with its proof; a draft is opened again by `?id=`. */
export default function DustEditPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createDustCheck} fallback={<Forbidden code="inspection.dustCheck" />}>
      {id ? (
        <Draft id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="检查哪个项目的扬尘" />
      ) : (
        <Form key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

function Draft({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getDustCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Form projectCode={data.projectCode} draft={data} />
}

interface Looked {
  result: string
  note: string | null
  photos: string[]
  problem: Problem | null
}
interface FormDraft {
  id: string
  items: Record<string, Looked>
  responseLevel: string | null
  weather: string | null
  pm10: number | null
  remark: string
}

const problemOf = ({
  id: _id,
  seq: _seq,
  dangerLevelName: _level,
  corpName: _corp,
  notice: _notice,
  placeName: _place,
  noticeType: _type,
  ...problem
}: DustDetail['problems'][number]): Problem => problem

function startOf(draft: DustDetail | undefined): FormDraft {
  return {
    id: draft?.id ?? uid(),
    items: Object.fromEntries(
      (draft?.items ?? []).map(({ code, result, note, photos }) => {
        const problem = draft?.problems.find((one) => one.itemCode === code)
        return [code, { result, note, photos: [...photos], problem: problem ? problemOf(problem) : null }]
      }),
    ),
    responseLevel: draft?.responseLevel ?? null,
    weather: draft?.weather ?? null,
    pm10: draft?.pm10 ?? null,
    remark: draft?.remark ?? '',
  }
}

function Form({ projectCode, draft }: { projectCode: string; draft?: DustDetail }) {
  const page = usePage()
  const dicts = useDicts('dustCheckItem', 'dustResponseLevel', 'weather')
  const [fresh] = useState(() => startOf(draft))
  const [held, hold, clear] = useDeviceDraft(draft ? `dust ${draft.id} ${draft.version}` : `dust ${projectCode}`, fresh)
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const now = useCall(dustNow, { query: { projectCode } }, { quiet: true, offline: true })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const saved = { success: '草稿已保存', onDone: () => leave(hrefOf(paths.list, { tab: 'own' })), onKept: () => leave(paths.list) }
  const { id, items, responseLevel, weather, pm10, remark } = held ?? fresh
  const submitted = { success: '扬尘检查已提交', onDone: () => leave(hrefOf(paths.detail, { id })), onKept: () => leave(paths.list) }
  const make = { save: useFieldAct(createDustCheck, saved), submit: useFieldAct(createDustCheck, submitted) }
  const change = { save: useFieldAct(changeDustCheck, saved), submit: useFieldAct(changeDustCheck, submitted) }
  const acts = [make.save, make.submit, change.save, change.submit]
  const running = acts.some((one) => one.running)
  const wrong = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  if (!held) return <DetailSkeleton />
  const set = (next: Partial<FormDraft>) => hold({ ...held, ...next })
  const evidence = now.data?.evidence
  const level = responseLevel ?? now.data?.responseLevel ?? null
  const looked = dustItems.filter((one) => items[one.code] !== undefined)
  const failed = looked.filter((one) => items[one.code]?.result === itemResults.wrong)
  const missing = dustItems.filter((one) => one.core && items[one.code] === undefined)
  const look = (code: string, requirement: string, next: Partial<Looked>) => {
    const merged = { ...(items[code] ?? { result: '', note: null, photos: [], problem: null }), ...next }
    const problem =
      merged.result === itemResults.wrong ? (merged.problem ?? newProblem(code, requirement, dicts.name('dustCheckItem', code))) : null
    set({ items: { ...items, [code]: { ...merged, problem } } })
  }
  const send = (action: 'save' | 'submit') => {
    const fields = {
      responseLevel: level,
      weather,
      pm10,
      items: looked.map(({ code }) => ({
        code,
        result: (items[code]?.result ?? itemResults.notApplicable) as '1' | '2' | '3',
        note: items[code]?.note ?? null,
        photos: items[code]?.photos ?? [],
      })),
      problems: failed.flatMap((one) => items[one.code]?.problem ?? []),
      remark: remark || null,
    }
    const about = {
      id,
      title: '扬尘检查',
      page: paths.list,
      lines: failed.map((one) => ({ label: one.short, text: items[one.code]?.problem?.description ?? '' })),
    }
    return draft
      ? change[action].run({ query: { projectCode }, body: { id, version: draft.version, action, ...fields } }, about)
      : make[action].run({ query: { projectCode }, body: { id, action, ...fields } }, about)
  }
  return (
    <div className="zg-page">
      <PageTitle title="扬尘检查" remark="随写随存在本机，没有网络也能提交" />
      <div className="check-field">
        <div>
          <ResponseNotice level={level} name={dicts.name('dustResponseLevel', level)} evidence={evidence} />
          <Card title="天气与监测" remark={evidence ? '监测值已自动填入' : undefined}>
            <div className="check-pair">
              <div>
                <label className="zg-label" htmlFor="dust-weather">
                  天气
                </label>
                <Choice
                  id="dust-weather"
                  options={dicts.options('weather')}
                  value={weather}
                  onChange={(next) => set({ weather: next ?? null })}
                />
              </div>
              <div>
                <label className="zg-label" htmlFor="dust-level">
                  响应等级
                </label>
                <Choice
                  id="dust-level"
                  options={dicts.options('dustResponseLevel')}
                  value={level}
                  onChange={(next) => set({ responseLevel: next ?? null })}
                />
              </div>
              <div>
                <label className="zg-label" htmlFor="dust-pm10">
                  现场 PM10（μg/m³）
                </label>
                <NumberInput id="dust-pm10" value={pm10 ?? evidence?.pm10 ?? null} onChange={(next) => set({ pm10: next ?? null })} />
              </div>
            </div>
          </Card>
          {dustItems.map(({ code, core, requirement }) => {
            const own = items[code]
            const at = looked.findIndex((one) => one.code === code)
            const problemAt = failed.findIndex((one) => one.code === code)
            const proof = evidenceFor(code, evidence)
            const fault = wrong[`items.${at}.result`] ?? wrong[`items.${at}.note`] ?? wrong[`items.${at}.photos`]
            return (
              <Card
                key={code}
                title={dicts.name('dustCheckItem', code)}
                remark={core ? <Tag tone="running">必查</Tag> : '可选'}
                className="dust-item"
              >
                {proof && <p className={proof.includes('离线') ? 'tone-danger' : 'zg-2'}>平台：{proof}</p>}
                <div className="check-chips">
                  {Object.entries(itemWords).map(([result, label]) => (
                    <button
                      key={result}
                      type="button"
                      aria-pressed={own?.result === result}
                      onClick={() => look(code, requirement, { result })}
                    >
                      {label}
                    </button>
                  ))}
                </div>
                {own && own.result !== itemResults.notApplicable && own.result !== itemResults.wrong && (
                  <FieldPhotos max={9} value={own.photos} onChange={(photos) => look(code, requirement, { photos })} />
                )}
                {own?.result === itemResults.notApplicable && (
                  <Input
                    aria-label="不涉及的原因"
                    placeholder="为什么不涉及，例如 无拆除和土方作业"
                    maxLength={200}
                    value={own.note ?? ''}
                    onChange={(event) => look(code, requirement, { note: event.target.value || null })}
                  />
                )}
                {own?.problem && (
                  <FailFields
                    value={own.problem}
                    corps={people.data?.corps ?? []}
                    faults={faultsOf(wrong, problemAt)}
                    onChange={(next) => own.problem && look(code, requirement, { problem: { ...own.problem, ...next } })}
                  />
                )}
                {fault && <small className="tone-danger">{fault}</small>}
              </Card>
            )
          })}
          <Card title="检查情况" remark="可不填">
            <Input.TextArea
              aria-label="检查情况"
              rows={2}
              maxLength={500}
              value={remark}
              onChange={(event) => set({ remark: event.target.value })}
            />
          </Card>
          {wrong.items && <Notice tone="danger">{wrong.items}</Notice>}
        </div>
      </div>
      <div className="check-bar">
        <Button size="large" loading={running} onClick={() => void send('save')}>
          存草稿
        </Button>
        <Button type="primary" size="large" loading={running} disabled={missing.length > 0} onClick={() => void send('submit')}>
          {missing.length > 0
            ? `还有 ${missing.length} 个必查项`
            : failed.length > 0
              ? `提交（${failed.length} 项不符合）`
              : '全部符合，提交'}
        </Button>
      </div>
    </div>
  )
}

const newProblem = (code: string, requirement: string, name: string): Problem => ({
  ...emptyProblem(),
  itemCode: code,
  description: `${name}：不符合`,
  part: '施工现场',
  requirement,
  deadline: inDays(0),
})

/** Messages of the server about one problem, by field. */
const faultsOf = (wrong: Readonly<Record<string, string>>, at: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(wrong).flatMap(([field, message]) =>
      field.startsWith(`problems.${at}.`) ? [[field.slice(`problems.${at}.`.length), message]] : [],
    ),
  )
