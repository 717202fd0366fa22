import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { changePlan, createPlan, getPlan, type PlanDetail, planRisk } from '@zhugong/contract/plans/calls'
import { contentTemplates, leastSupervisors, planStates } from '@zhugong/contract/plans/moves'
import { leastVisits, proposedFrequency, type RiskLevel } from '@zhugong/contract/plans/risk'
import { Button, Input, InputNumber, Select } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { useUnsaved } from '#kit/unsaved.ts'
import { RiskCard } from './risk-card.tsx'
import './plans.css'

type Fields = Omit<ParsedFor<typeof createPlan>['body'], 'id' | 'action'>
type Risk = NonNullable<(typeof planRisk)['types']>['out']

/** A plan for one project in five minutes: `?id=` goes on with a draft or adjusts one in force, `?projectCode=` begins one. */
export default function PlanEditPage() {
  const query = usePageQuery()
  const here = useProjectCode()
  const id = query.get('id')
  const projectCode = query.get('projectCode') ?? here
  if (id) return <Begun key={id} id={id} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目编制计划" />
  return <Form key={projectCode} projectCode={projectCode} />
}

function Begun({ id }: { id: string }) {
  const read = useCall(getPlan, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <Form projectCode={read.data.projectCode} file={read.data} />
}

function Form({ projectCode, file }: { projectCode: string; file?: PlanDetail }) {
  const risk = useCall(planRisk, { query: { projectCode } }, { quiet: true })
  if (risk.error) return <ErrorPanel error={risk.error} retry={risk.refetch} />
  if (!risk.data) return <DetailSkeleton />
  return <PlanForm risk={risk.data} {...(file ? { file } : {})} />
}

/** What a new plan begins with. */
function proposed(risk: Risk): Fields {
  const today = day(Date.now())
  const year = Number(today.slice(0, 4))
  const end = `${year}-12-31`
  const template = contentTemplates[1]
  return {
    discipline: '1',
    year,
    title: `${risk.projectName}${year} 年安全监督计划`,
    supervisors: [],
    startDate: today,
    endDate: end,
    frequency: proposedFrequency(risk.level as RiskLevel, risk.phase, today, end),
    frequencyReason: null,
    mainContent: template?.content ?? '',
    measures: template?.measures ?? null,
    focus: [],
    disclosureDate: null,
    files: [],
  }
}
const fieldsOf = (file: PlanDetail): Fields => ({
  discipline: file.discipline,
  year: file.year,
  title: file.title,
  supervisors: file.supervisors.map((name, i) => ({ id: file.supervisorIds[i] ?? null, name })),
  startDate: file.startDate,
  endDate: file.endDate,
  frequency: file.frequency.map(({ phase, times, from, to }) => ({ phase, times, from, to })),
  frequencyReason: file.frequencyReason,
  mainContent: file.mainContent,
  measures: file.measures,
  focus: file.focus,
  disclosureDate: file.disclosureDate,
  files: file.files,
})

function PlanForm({ risk, file }: { risk: Risk; file?: PlanDetail }) {
  const page = usePage()
  const key = useId()
  const dicts = useDicts('checkDiscipline', 'projectPhase')
  const [id] = useState(() => uid())
  const initial = file ? fieldsOf(file) : proposed(risk)
  const [fields, setFields] = useState(initial)
  const [reason, setReason] = useState('')
  const [touched, setTouched] = useState(false)
  const adjusts = file?.state === planStates.published || file?.state === planStates.running
  const open = (made: string) => page.leave(hrefOf('/jgt/checkplan/details', { id: made }))
  const create = useAct(createPlan, { success: '已保存', onDone: (made) => open(made.id) })
  const change = useAct(changePlan, { success: adjusts ? '调整已提交审批' : '已保存', onDone: () => open(file?.id ?? '') })
  useUnsaved(touched, page.cacheKey, '监督计划')
  const put = (more: Partial<Fields>) => {
    setTouched(true)
    setFields((now) => ({ ...now, ...more }))
  }
  const errors = file ? change.fieldErrors : create.fieldErrors
  const error = (field: string) => errors[field] && <small className="tone-danger">{errors[field]}</small>
  const least = leastVisits(risk.level as RiskLevel, fields.startDate, fields.endDate)
  const times = fields.frequency.reduce((sum, one) => sum + one.times, 0)
  const twin = !file && risk.plans.find((one) => one.discipline === fields.discipline && one.year === fields.year)
  const send = (action: 'save' | 'submit') => {
    const { discipline, year, ...given } = fields
    if (!file)
      return create.run(
        { query: { projectCode: risk.projectCode }, body: { id, action, discipline, year, ...given } },
        { fieldsShown: true },
      )
    const at = { params: { id: file.id }, query: { projectCode: '*' } }
    if (adjusts)
      return change.run(
        { ...at, body: { action: 'adjust', version: file.version, reason: reason.trim(), ...given } },
        { fieldsShown: true },
      )
    return change.run({ ...at, body: { action, version: file.version, ...given } }, { fieldsShown: true })
  }
  const officers = [
    ...risk.officers,
    ...fields.supervisors.flatMap((one) =>
      risk.officers.some(({ id: own }) => own === one.id) ? [] : [{ id: one.id ?? one.name, name: one.name }],
    ),
  ]
  const label = (name: string, text: string, field: ReactNode, wide = false) => (
    <div className={wide ? 'wide' : ''}>
      <label className="zg-label" htmlFor={`${key}-${name}`}>
        {text}
      </label>
      {field}
      {error(name)}
    </div>
  )
  return (
    <PageShell title={adjusts ? '调整监督计划' : file ? '修改监督计划' : '新建监督计划'} remark={risk.projectName}>
      {file?.state === planStates.returned && file.opinion && <Notice tone="danger">审批退回：{file.opinion}</Notice>}
      {twin && (
        <Notice tone="warning" actions={<Link to={hrefOf('/jgt/checkplan/edit', { id: twin.id })}>去调整</Link>}>
          该项目该年度已有同专业计划“{twin.title}”，请调整原计划。
        </Notice>
      )}
      <div className="plan-edit">
        <RiskCard risk={risk} />
        <div>
          {adjusts && (
            <Card title="调整" remark={`第 ${file.versionNo} 版 → 第 ${file.versionNo + 1} 版，原版本保留`}>
              <div className="plan-fields">
                {label(
                  'reason',
                  '调整原因',
                  <Input id={`${key}-reason`} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />,
                  true,
                )}
              </div>
            </Card>
          )}
          <Card title="基本">
            <div className="plan-fields">
              {label(
                'title',
                '计划名称',
                <Input id={`${key}-title`} maxLength={100} value={fields.title} onChange={(event) => put({ title: event.target.value })} />,
                true,
              )}
              {label(
                'discipline',
                '监督专业',
                <Choice
                  id={`${key}-discipline`}
                  clear={false}
                  disabled={file !== undefined}
                  value={fields.discipline}
                  options={dicts.options('checkDiscipline')}
                  onChange={(discipline) => {
                    const template = contentTemplates[discipline ?? '1']
                    put({
                      discipline: discipline ?? '1',
                      ...(template ? { mainContent: template.content, measures: template.measures } : {}),
                    })
                  }}
                />,
              )}
              {label(
                'year',
                '年度',
                <InputNumber
                  id={`${key}-year`}
                  disabled={file !== undefined}
                  min={2000}
                  max={2100}
                  value={Number(fields.year)}
                  onChange={(year) => put({ year: year ?? fields.year })}
                />,
              )}
              {label(
                'startDate',
                '开始日期',
                <DayInput id={`${key}-startDate`} value={fields.startDate} onChange={(startDate) => put({ startDate: startDate ?? '' })} />,
              )}
              {label(
                'endDate',
                '结束日期',
                <DayInput id={`${key}-endDate`} value={fields.endDate} onChange={(endDate) => put({ endDate: endDate ?? '' })} />,
              )}
              {label(
                'disclosureDate',
                '监督交底日期',
                <DayInput
                  id={`${key}-disclosureDate`}
                  value={fields.disclosureDate ?? null}
                  onChange={(disclosureDate) => put({ disclosureDate: disclosureDate ?? null })}
                />,
              )}
              {label(
                'supervisors',
                `监督人员（至少 ${leastSupervisors} 名）`,
                <Select
                  id={`${key}-supervisors`}
                  mode="multiple"
                  optionFilterProp="label"
                  value={fields.supervisors.map((one) => one.id ?? one.name)}
                  options={officers.map((one) => ({ value: one.id, label: one.name }))}
                  onChange={(chosen: string[]) =>
                    put({
                      supervisors: chosen.map(
                        (value) =>
                          fields.supervisors.find((one) => (one.id ?? one.name) === value) ??
                          risk.officers.find((one) => one.id === value) ?? { id: null, name: value },
                      ),
                    })
                  }
                />,
                true,
              )}
            </div>
          </Card>
          <Card
            title="抽查频次"
            remark={`共 ${times} 次，风险${risk.level}级不少于 ${least} 次`}
            actions={
              <Button
                icon={<PlusOutlined />}
                onClick={() =>
                  put({
                    frequency: [...fields.frequency, { phase: risk.phase ?? '3', times: 1, from: fields.startDate, to: fields.endDate }],
                  })
                }
              >
                加一行
              </Button>
            }
          >
            <table className="plan-rows">
              <thead>
                <tr>
                  <th scope="col">阶段</th>
                  <th scope="col">次数</th>
                  <th scope="col">从</th>
                  <th scope="col">到</th>
                  <th scope="col" />
                </tr>
              </thead>
              <tbody>
                {fields.frequency.map((row, at) => {
                  const set = (more: Partial<typeof row>) =>
                    put({ frequency: fields.frequency.map((one, i) => (i === at ? { ...one, ...more } : one)) })
                  return (
                    <tr key={at}>
                      <td>
                        <Choice
                          clear={false}
                          value={row.phase}
                          options={dicts.options('projectPhase')}
                          onChange={(phase) => set({ phase: phase ?? row.phase })}
                        />
                        {error(`frequency.${at}.phase`)}
                      </td>
                      <td>
                        <InputNumber aria-label="次数" min={1} max={24} value={row.times} onChange={(next) => set({ times: next ?? 1 })} />
                      </td>
                      <td>
                        <DayInput value={row.from} onChange={(from) => set({ from: from ?? row.from })} />
                        {error(`frequency.${at}.from`)}
                      </td>
                      <td>
                        <DayInput value={row.to} onChange={(to) => set({ to: to ?? row.to })} />
                        {error(`frequency.${at}.to`)}
                      </td>
                      <td>
                        <Button
                          type="text"
                          aria-label="删除这一行"
                          icon={<DeleteOutlined />}
                          disabled={fields.frequency.length === 1}
                          onClick={() => put({ frequency: fields.frequency.filter((_, i) => i !== at) })}
                        />
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
            {error('frequency')}
            {times < least && (
              <div className="plan-fields">
                {label(
                  'frequencyReason',
                  `少于 ${least} 次的原因`,
                  <Input
                    id={`${key}-frequencyReason`}
                    maxLength={500}
                    value={fields.frequencyReason ?? ''}
                    onChange={(event) => put({ frequencyReason: event.target.value || null })}
                  />,
                  true,
                )}
              </div>
            )}
          </Card>
          <Card title="内容">
            <div className="plan-fields">
              {label(
                'mainContent',
                '主要监督内容',
                <LongText
                  id={`${key}-mainContent`}
                  rows={8}
                  maxLength={4000}
                  value={fields.mainContent}
                  onChange={(mainContent) => put({ mainContent: mainContent ?? '' })}
                />,
                true,
              )}
              {label(
                'measures',
                '监督措施',
                <LongText
                  id={`${key}-measures`}
                  rows={3}
                  maxLength={2000}
                  value={fields.measures ?? null}
                  onChange={(measures) => put({ measures: measures || null })}
                />,
                true,
              )}
              {label(
                'focus',
                '重点部位（输入后回车）',
                <Select
                  id={`${key}-focus`}
                  mode="tags"
                  value={fields.focus}
                  options={focusOptions.map((value) => ({ value, label: value }))}
                  onChange={(focus: string[]) => put({ focus })}
                />,
                true,
              )}
              {label(
                'files',
                '附件',
                <Upload
                  id={`${key}-files`}
                  accept="image/*,application/pdf"
                  max={20}
                  value={fields.files}
                  onChange={(files) => put({ files })}
                />,
                true,
              )}
            </div>
          </Card>
          <div className="plan-bar">
            <Button type="primary" size="large" loading={create.running || change.running} onClick={() => void send('submit')}>
              {adjusts ? '提交调整' : '提交审批'}
            </Button>
            {!adjusts && (
              <Button size="large" loading={create.running || change.running} onClick={() => void send('save')}>
                存草稿
              </Button>
            )}
            {Object.keys(errors).length > 0 && <span className="tone-danger">{Object.keys(errors).length} 处需要补充</span>}
          </div>
        </div>
      </div>
    </PageShell>
  )
}

const focusOptions = ['深基坑', '高支模', '起重机械', '脚手架', '附着式升降脚手架', '高处作业吊篮', '临时用电', '消防设施']
