import { dayMs } from '@zhugong/contract/kit/time'
import {
  changeImprovement,
  createImprovement,
  getImprovement,
  type ImprovementDetail,
  improvementFindings,
  type QualityFinding,
} from '@zhugong/contract/quality/improvement'
import {
  type CauseGroup,
  causeGroups,
  causeNames,
  mostImprovementLines,
  mostWhys,
  repeatsProblem,
} from '@zhugong/contract/quality/improvement-moves'
import { qualityDays } from '@zhugong/contract/quality/inspection'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { Button, Checkbox, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Known, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Labelled } from '../checks/public.tsx'
import { anyProject, improvementPaths as paths } from './quality-words.tsx'
import './quality.css'

/** From findings to cause, measure and check date. `?id=` opens a draft; `?problem=&checks=&source=` picks the findings of those records. */
export default function ImprovementFormPage() {
  const query = usePageQuery()
  const here = useProjectCode()
  const id = query.get('id')
  const projectCode = query.get('projectCode') ?? here
  if (id) return <Draft id={id} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目编制质量改进" />
  return <Form key={projectCode} projectCode={projectCode} />
}

function Draft({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getImprovement, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Form key={data.version} projectCode={data.projectCode} draft={data} />
}

interface Line {
  part: string
  text: string
  person: string | null
}
interface Written {
  title: string
  qualityProblem: string
  corpCode: string
  findings: QualityFinding[]
  causes: Partial<Record<CauseGroup, string>>
  whys: string[]
  lines: Line[]
  prevention: string
  deadline: string
  recheckAfter: string
  targetRate: number | null
}
const usual = { mend: 14, verify: 45 } as const
const inDays = (days: number) => day(Date.now() + days * dayMs)

const begin = (draft: ImprovementDetail | undefined): Written => ({
  title: draft?.title ?? '',
  qualityProblem: draft?.qualityProblem ?? '',
  corpCode: draft?.corpCode ?? '',
  findings: draft?.findings ?? [],
  causes: Object.fromEntries((draft?.causeTexts ?? []).map(({ group, text }) => [group, text])),
  whys: draft?.whys.length ? draft.whys : [''],
  lines: draft?.lines ?? [{ part: '', text: '', person: null }],
  prevention: draft?.prevention ?? '',
  deadline: draft?.deadline ?? inDays(usual.mend),
  recheckAfter: draft?.recheckAfter ?? inDays(usual.verify),
  targetRate: draft?.targetRate ?? null,
})

function Form({ projectCode, draft }: { projectCode: string; draft?: ImprovementDetail }) {
  const page = usePage()
  const [id] = useState(() => draft?.id ?? uid())
  const [form, setForm] = useState<Written>(() => begin(draft))
  const set = (more: Partial<Written>) => setForm((now) => ({ ...now, ...more }))
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true })
  const done = { onDone: () => page.leave(hrefOf(paths.detail, { id })) }
  const make = useAct(createImprovement, { success: '已保存', ...done })
  const change = useAct(changeImprovement, { success: '已保存', ...done })
  const errors = { ...make.fieldErrors, ...change.fieldErrors }
  const errorOf = (field: string) => Object.entries(errors).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1]
  const names = people.data?.corps.find((one) => one.code === form.corpCode)?.people ?? []
  const send = (action: 'save' | 'issue') => {
    const { causes, findings, whys, ...rest } = form
    const body = {
      action,
      ...rest,
      whys: whys.filter((one) => one.trim() !== ''),
      findings: findings.map((one) => ({ kind: one.kind, id: one.id })),
      causes: causeGroups.flatMap((group) => (causes[group] ? [{ group, text: causes[group] ?? '' }] : [])),
    }
    return draft
      ? change.run({ params: { id }, query: anyProject, body: { version: draft.version, ...body } }, { fieldsShown: true })
      : make.run({ query: { projectCode }, body: { id, ...body } }, { fieldsShown: true })
  }
  const problems = form.findings.map((one) => one.text)
  const running = make.running || change.running
  return (
    <div className="zg-page zg-scrolls">
      <PageTitle title={draft ? '质量改进草稿' : '质量改进新增'} remark="问题、原因、整改、预防、验证" />
      <div className="quality-form">
        <Findings
          projectCode={projectCode}
          form={form}
          fixed={draft !== undefined}
          error={errorOf('findings') ?? errorOf('qualityProblem')}
          onChange={set}
        />
        <Card title="二、原因" remark="人机料法环，有哪几类写哪几类">
          {errorOf('causes') && <p className="tone-danger">{errorOf('causes')}</p>}
          {causeGroups.map((group) => (
            <Labelled key={group} label={causeNames[group]} problem={undefined}>
              {(field) => (
                <>
                  <Input
                    id={field}
                    maxLength={300}
                    placeholder="为什么会这样"
                    value={form.causes[group] ?? ''}
                    onChange={(event) => set({ causes: { ...form.causes, [group]: event.target.value } })}
                  />
                  {repeatsProblem(form.causes[group] ?? '', problems) && (
                    <small className="tone-warning">这是问题本身，不是原因：再问一句为什么</small>
                  )}
                </>
              )}
            </Labelled>
          ))}
          <Labelled label={`追问（最多 ${mostWhys} 层）`} problem={errorOf('whys')}>
            {(field) => (
              <>
                {form.whys.map((why, i) => (
                  <Input
                    // biome-ignore lint/suspicious/noArrayIndexKey: the questions follow one another and are never reordered
                    key={i}
                    id={i === 0 ? field : undefined}
                    aria-label={`第 ${i + 1} 个为什么`}
                    maxLength={200}
                    placeholder={`第 ${i + 1} 个为什么`}
                    value={why}
                    onChange={(event) => set({ whys: form.whys.map((one, n) => (n === i ? event.target.value : one)) })}
                  />
                ))}
                {form.whys.length < mostWhys && (
                  <Button type="link" onClick={() => set({ whys: [...form.whys, ''] })}>
                    再问一层
                  </Button>
                )}
              </>
            )}
          </Labelled>
        </Card>
        <Card title="三、整改" remark="逐项写明做什么、谁来做；下发后成为责任单位的整改单">
          <div className="quality-fields">
            <Labelled label="责任单位" problem={errorOf('corpCode')}>
              {(field) => (
                <Choice
                  id={field}
                  clear={false}
                  options={(people.data?.corps ?? []).map((one) => ({ value: one.code, label: one.name }))}
                  value={form.corpCode || null}
                  onChange={(corpCode) => set({ corpCode: corpCode ?? '' })}
                />
              )}
            </Labelled>
            <Labelled label="整改期限" problem={errorOf('deadline')}>
              {(field) => <DayInput id={field} min={inDays(0)} value={form.deadline} onChange={(next) => set({ deadline: next ?? '' })} />}
            </Labelled>
          </div>
          {errorOf('lines') && <p className="tone-danger">{errorOf('lines')}</p>}
          {form.lines.map((line, i) => {
            const put = (more: Partial<Line>) => set({ lines: form.lines.map((one, n) => (n === i ? { ...one, ...more } : one)) })
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity before they are stored
              <div key={i} className="quality-line">
                <Input
                  aria-label={`部位 ${i + 1}`}
                  placeholder="部位"
                  maxLength={100}
                  value={line.part}
                  onChange={(event) => put({ part: event.target.value })}
                />
                <Input
                  aria-label={`整改内容 ${i + 1}`}
                  placeholder="做什么，做到什么程度"
                  maxLength={500}
                  value={line.text}
                  onChange={(event) => put({ text: event.target.value })}
                />
                <Choice
                  aria-label={`责任人 ${i + 1}`}
                  placeholder="责任人"
                  options={names.map((name) => ({ value: name, label: name }))}
                  value={line.person}
                  onChange={(person) => put({ person: person ?? null })}
                />
                <Button disabled={form.lines.length === 1} onClick={() => set({ lines: form.lines.filter((_, n) => n !== i) })}>
                  删除
                </Button>
              </div>
            )
          })}
          {form.lines.length < mostImprovementLines && (
            <Button onClick={() => set({ lines: [...form.lines, { part: '', text: '', person: null }] })}>增加一项</Button>
          )}
        </Card>
        <Card title="四、预防" remark="工艺、交底、样板间怎么改，使它不再发生">
          <Labelled label="预防措施" problem={errorOf('prevention')}>
            {(field) => (
              <LongText
                id={field}
                rows={4}
                maxLength={1000}
                value={form.prevention}
                onChange={(prevention) => set({ prevention: prevention ?? '' })}
              />
            )}
          </Labelled>
        </Card>
        <Card title="五、验证" remark="闭合不等于有效：到期再看一次">
          <div className="quality-fields">
            <Labelled label="验证日期" problem={errorOf('recheckAfter')}>
              {(field) => (
                <DayInput id={field} min={form.deadline} value={form.recheckAfter} onChange={(next) => set({ recheckAfter: next ?? '' })} />
              )}
            </Labelled>
            <Labelled label="目标合格率（可不填）" problem={errorOf('targetRate')}>
              {(field) => (
                <NumberInput
                  id={field}
                  unit="%"
                  min={1}
                  max={100}
                  precision={0}
                  value={form.targetRate}
                  onChange={(targetRate) => set({ targetRate: targetRate ?? null })}
                />
              )}
            </Labelled>
          </div>
        </Card>
        <div className="quality-bar">
          <Button size="large" loading={running} onClick={() => void send('save')}>
            存草稿
          </Button>
          <Button type="primary" size="large" loading={running} onClick={() => void send('issue')}>
            下发
          </Button>
          {Object.keys(errors).length > 0 && <span className="tone-danger">{Object.keys(errors).length} 处需要补充</span>}
        </div>
      </div>
    </div>
  )
}

interface FindingsProps {
  projectCode: string
  form: Written
  /** A draft keeps its defect and company; its findings can change. */
  fixed: boolean
  error: string | undefined
  onChange: (more: Partial<Written>) => void
}

/** The findings, by defect and company: choosing a series picks all of them. */
function Findings({ projectCode, form, fixed, error, onChange }: FindingsProps) {
  const query = usePageQuery()
  const read = useCall(improvementFindings, { query: { projectCode } }, { quiet: true })
  const series = read.data?.series ?? []
  const keyOf = (one: { qualityProblem: string; corpCode: string }) => `${one.qualityProblem} ${one.corpCode}`
  const chosen = series.find((one) => keyOf(one) === keyOf(form))
  const choose = (one: (typeof series)[number], findings: QualityFinding[]) => {
    const parts = [...new Set(findings.map((each) => each.part))]
    onChange({
      qualityProblem: one.qualityProblem,
      corpCode: one.corpCode,
      findings,
      title: form.title || `${one.qualityProblemName}专项改进`,
      ...(form.lines.every((line) => line.text === '')
        ? { lines: parts.slice(0, firstParts).map((part) => ({ part, text: '', person: null })) }
        : {}),
    })
  }
  const source = query.get('source')
  const wanted = useRef(!fixed && (query.has('problem') || source !== null))
  const latest = useRef(choose)
  latest.current = choose
  useEffect(() => {
    if (!wanted.current) return
    const [problem, corp, codes] = [query.get('problem'), query.get('corp'), (query.get('checks') ?? '').split(',')]
    const named = (one: QualityFinding) => codes.includes(one.code ?? '') && (source === null || one.kind === source)
    const ofSource = (one: QualityFinding) => source === null || one.kind === source
    const fits = series.filter(
      (one) => (!problem || one.qualityProblem === problem) && (!corp || one.corpCode === corp) && one.findings.some(ofSource),
    )
    const one = fits.find((each) => each.findings.some(named)) ?? fits[0]
    if (!one) return
    wanted.current = false
    const chosen = one.findings.filter(named)
    latest.current(one, chosen.length > 0 ? chosen : one.findings.filter(ofSource))
  }, [series, query, source])
  const all = chosen?.findings ?? form.findings
  const has = (one: QualityFinding) => form.findings.some((each) => each.kind === one.kind && each.id === one.id)
  return (
    <Card title="一、问题" remark={`近 ${qualityDays} 天同一通病、同一单位的问题；已选 ${form.findings.length} 个`}>
      {error && <p className="tone-danger">{error}</p>}
      <div className="quality-fields">
        <Labelled label="通病与单位" problem={undefined}>
          {(field) => (
            <Choice
              id={field}
              clear={false}
              disabled={fixed}
              loading={!read.data}
              placeholder="选择反复出现的问题"
              options={series.map((one) => ({
                value: keyOf(one),
                label: `${one.qualityProblemName} · ${one.corpName}（${one.findings.length}）`,
              }))}
              value={form.qualityProblem ? keyOf(form) : null}
              onChange={(key) => {
                const one = series.find((each) => keyOf(each) === key)
                if (one) choose(one, one.findings)
              }}
            />
          )}
        </Labelled>
        <Labelled label="名称" problem={undefined}>
          {(field) => <Input id={field} maxLength={80} value={form.title} onChange={(event) => onChange({ title: event.target.value })} />}
        </Labelled>
      </div>
      <Known of={read}>
        {all.length === 0 ? (
          <Empty small text="还没有选择问题" hint="先做质量检查，问题会列在这里" />
        ) : (
          <ul className="quality-findings">
            {all.map((one) => (
              <li key={`${one.kind} ${one.id}`}>
                <Checkbox
                  checked={has(one)}
                  onChange={(event) =>
                    onChange({
                      findings: event.target.checked
                        ? [...form.findings, one]
                        : form.findings.filter((each) => each.kind !== one.kind || each.id !== one.id),
                    })
                  }
                >
                  {one.part}：{one.text}
                  {one.measured && <b> {one.measured}</b>}{' '}
                  <span className="zg-2">
                    {one.kindName} <Link to={one.page}>{one.code}</Link> {one.at.slice(0, 10)}
                  </span>
                </Checkbox>
                {one.photos[0] && <Thumb src={one.photos[0]} name={one.text} width={64} height={48} />}
              </li>
            ))}
          </ul>
        )}
      </Known>
      {form.qualityProblem === '' && series.length > 0 && <Notice tone="info">选择一个通病与单位，其问题全部带入，可逐条取舍。</Notice>}
    </Card>
  )
}
/** Parts of the findings that are proposed as lines. */
const firstParts = 5
