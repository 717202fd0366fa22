import type { ProblemInput } from '@zhugong/contract/checks/problems'
import { dayMs } from '@zhugong/contract/kit/time'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { majorLevel, usualDays } from '@zhugong/contract/rectify/moves'
import { changeInspection, type InspectionDetail, type InspectionSheet, type SheetItem } from '@zhugong/contract/scoring/inspections'
import { leastCheckers } from '@zhugong/contract/scoring/moves'
import { itemResults, mustBeIssued, type TotalScore } from '@zhugong/contract/scoring/score'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput, Upload } from '#kit/inputs.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { PlacePicker } from '../places/public.tsx'
import { marks } from './score-words.tsx'

type Problem = Omit<ProblemInput, 'mended' | 'mendedPhotos'>
interface Lost {
  key: string
  sheet: InspectionSheet
  item: SheetItem
}

/** 总承包单位 in the parts of a project. */
const contractorPart = '009'

/** What is submitted: the score, and a problem for every item that lost points, which become notices by company and deadline. */
export function SubmitForm({ file, live }: { file: InspectionDetail; live: TotalScore }) {
  const page = usePage()
  const people = useCall(rectifyPeople, { query: { projectCode: file.projectCode } }, { quiet: true })
  const [typed, setTyped] = useState<Record<string, Partial<Problem>>>({})
  const [chosen, setChosen] = useState<Chosen>({})
  const act = useAct(changeInspection, {
    success: '已提交，得分已冻结',
    onDone: () => page.leave(hrefOf('/safetyInspection/details', { id: file.id })),
  })
  const corps = people.data?.corps ?? []
  const contractor = corps.find(({ part }) => part === contractorPart)?.code ?? corps[0]?.code ?? ''
  const all: Lost[] = file.sheets.flatMap((sheet) =>
    sheet.notApplicable === null
      ? sheet.items
          .filter((item) => item.result === itemResults.wrong)
          .map((item) => ({ key: `${sheet.id}/${item.itemCode}`, sheet, item }))
      : [],
  )
  const lost = all.filter((one) => isIssued(one, chosen))
  const problems = lost.map((one) => ({ ...proposed(one, contractor), ...typed[one.key] }))
  const undone = file.sheets.filter((one) => !one.done)
  const hindered =
    undone.length > 0
      ? `还有 ${undone.length} 张检查表没有查完：${undone.map(({ name, label }) => `${name}${label}`).join('、')}`
      : file.checkers.length < leastCheckers
        ? `检查人至少 ${leastCheckers} 名，请在“分工”中补充`
        : undefined
  const submit = async () => {
    const sure = await confirmDanger({
      thing: `提交 ${file.projectName} 的安全巡检`,
      consequence: `得分 ${marks(live.score)} 冻结，检查表不能再改；问题下发整改单，受检单位、监理可见。`,
      verb: '提交',
      keep: '再看看',
    })
    if (sure)
      await act.run(
        { params: { id: file.id }, query: { projectCode: '*' }, body: { action: 'submit', version: file.version, problems } },
        { fieldsShown: true },
      )
  }
  return (
    <div className="scoring-cards">
      <Card title="得分" remark={live.grade === null ? undefined : `${marks(live.score)} 分`}>
        <p>{live.reason}。</p>
      </Card>
      <Notices problems={problems} corps={corps} />
      <Issued all={all} chosen={chosen} onChange={setChosen} />
      {all.length === 0 && <Empty small text="没有不合格项" hint="提交后直接闭合" />}
      {lost.map((one, i) => (
        <ProblemCard
          key={one.key}
          projectCode={file.projectCode}
          lost={one}
          index={i}
          problem={problems[i] ?? proposed(one, contractor)}
          corps={corps}
          errors={act.fieldErrors}
          onChange={(more) => setTyped((now) => ({ ...now, [one.key]: { ...now[one.key], ...more } }))}
        />
      ))}
      <div className="scoring-bar">
        <Button type="primary" size="large" loading={act.running} disabled={hindered !== undefined} onClick={() => void submit()}>
          提交
        </Button>
        {hindered && <span className="zg-2">{hindered}</span>}
        {Object.keys(act.fieldErrors).length > 0 && (
          <span className="tone-danger">{act.fieldErrors.problems ?? `${Object.keys(act.fieldErrors).length} 处需要补充`}</span>
        )}
      </div>
    </div>
  )
}

type Chosen = Readonly<Record<string, boolean>>
/** Grave ones always become notices; of the others those with a photograph, unless the checkers decide otherwise. */
const isIssued = ({ key, item }: Lost, chosen: Chosen): boolean => mustBeIssued(item) || (chosen[key] ?? item.photos.length > 0)

function Issued({ all, chosen, onChange }: { all: readonly Lost[]; chosen: Chosen; onChange: (chosen: Chosen) => void }) {
  if (all.length === 0) return null
  return (
    <Card title="失分项" remark="失分过半的必须下发整改；其余由检查组勾选，有照片的已选上">
      <ul className="scoring-notices">
        {all.map((one) => {
          const { key, sheet, item } = one
          return (
            <li key={key}>
              <Checkbox
                checked={isIssued(one, chosen)}
                disabled={mustBeIssued(item)}
                onChange={(event) => onChange({ ...chosen, [key]: event.target.checked })}
              >
                {sheet.name}
                {sheet.label && `（${sheet.label}）`} · {item.name}：扣 {item.deduction} 分 <span className="zg-2">{item.note}</span>
              </Checkbox>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** What a lost item becomes unless the checker writes otherwise. */
function proposed({ sheet, item }: Lost, corpCode: string): Problem {
  return {
    description: item.note ?? '',
    part: sheet.label || sheet.name,
    placeId: null,
    pin: null,
    itemCode: item.itemCode,
    clause: item.clause,
    dangerLevel: '1',
    majorClause: null,
    requirement: `按“${item.name}”要求整改到位`,
    corpCode,
    person: null,
    deadline: day(Date.now() + (usualDays[1] ?? 0) * dayMs),
    photos: item.photos,
  }
}

type Corps = readonly { code: string; name: string; people: readonly string[] }[]

/** The notices that the problems will become. */
function Notices({ problems, corps }: { problems: readonly Problem[]; corps: Corps }) {
  const groups = [...Map.groupBy(problems, ({ corpCode, deadline }) => `${corpCode} ${deadline}`).values()]
  if (groups.length === 0) return null
  const nameOf = (code: string) => corps.find((one) => one.code === code)?.name ?? '未选责任单位'
  return (
    <Card title="将下发的整改单" remark={`${groups.length} 份`}>
      <ul className="scoring-notices">
        {groups.map((group) => (
          <li key={`${group[0]?.corpCode} ${group[0]?.deadline}`}>
            {nameOf(group[0]?.corpCode ?? '')} · 期限 {group[0]?.deadline}：{group.length} 个问题
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface ProblemCardProps {
  projectCode: string
  lost: Lost
  index: number
  problem: Problem
  corps: Corps
  errors: Readonly<Record<string, string>>
  onChange: (more: Partial<Problem>) => void
}

function ProblemCard({ projectCode, lost: { sheet, item }, index, problem, corps, errors, onChange }: ProblemCardProps) {
  const key = useId()
  const dicts = useDicts('hiddenDangerLevel')
  const names = corps.find((one) => one.code === problem.corpCode)?.people ?? []
  const error = (field: keyof Problem) => {
    const words = errors[`problems.${index}.${field}`]
    return words && <small className="tone-danger">{words}</small>
  }
  return (
    <Card title={`${index + 1}. ${sheet.name}${sheet.label && `（${sheet.label}）`} · ${item.name}`} remark={`扣 ${item.deduction} 分`}>
      <div className="scoring-fields">
        <div className="wide">
          <label className="zg-label" htmlFor={`${key}-description`}>
            问题描述
          </label>
          <Input.TextArea
            id={`${key}-description`}
            rows={2}
            maxLength={500}
            value={problem.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
          {error('description')}
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-part`}>
            部位
          </label>
          <Input id={`${key}-part`} maxLength={100} value={problem.part} onChange={(event) => onChange({ part: event.target.value })} />
          {error('part')}
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-place`}>
            位置（可不选）
          </label>
          <PlacePicker
            id={`${key}-place`}
            projectCode={projectCode}
            placeId={problem.placeId}
            pin={problem.pin}
            withPin
            offline
            onChange={(chosen) => onChange({ placeId: chosen?.placeId ?? null, pin: chosen?.pin ?? null })}
          />
          {error('placeId')}
          {error('pin')}
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-corp`}>
            责任单位
          </label>
          <Choice
            id={`${key}-corp`}
            clear={false}
            value={problem.corpCode}
            options={corps.map(({ code, name }) => ({ value: code, label: name }))}
            onChange={(corpCode) => onChange({ corpCode: corpCode ?? '', person: null })}
          />
          {error('corpCode')}
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-person`}>
            整改人
          </label>
          <Choice
            id={`${key}-person`}
            value={problem.person}
            options={names.map((name) => ({ value: name, label: name }))}
            onChange={(person) => onChange({ person: person ?? null })}
          />
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-deadline`}>
            期限
          </label>
          <DayInput
            id={`${key}-deadline`}
            min={day(Date.now())}
            value={problem.deadline}
            onChange={(deadline) => onChange({ deadline: deadline ?? '' })}
          />
          {error('deadline')}
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-level`}>
            隐患等级
          </label>
          <Choice
            id={`${key}-level`}
            clear={false}
            value={problem.dangerLevel}
            options={dicts.options('hiddenDangerLevel')}
            onChange={(dangerLevel) => onChange({ dangerLevel: dangerLevel ?? '1' })}
          />
        </div>
        {problem.dangerLevel === majorLevel && (
          <div>
            <label className="zg-label" htmlFor={`${key}-major`}>
              重大隐患判定条款
            </label>
            <Input
              id={`${key}-major`}
              maxLength={200}
              value={problem.majorClause ?? ''}
              onChange={(event) => onChange({ majorClause: event.target.value || null })}
            />
            {error('majorClause')}
          </div>
        )}
        <div className="wide">
          <label className="zg-label" htmlFor={`${key}-requirement`}>
            整改要求
          </label>
          <Input
            id={`${key}-requirement`}
            maxLength={500}
            value={problem.requirement}
            onChange={(event) => onChange({ requirement: event.target.value })}
          />
          {error('requirement')}
        </div>
        <div className="wide">
          <label className="zg-label" htmlFor={`${key}-photos`}>
            照片
          </label>
          <Upload id={`${key}-photos`} camera="environment" value={problem.photos} onChange={(photos) => onChange({ photos })} />
          {error('photos')}
        </div>
      </div>
      {problem.dangerLevel === majorLevel && <Notice tone="warning">重大隐患提交后立即通知责任单位，期限一般 {usualDays[2]} 日。</Notice>}
    </Card>
  )
}
