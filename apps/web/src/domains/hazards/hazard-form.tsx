import { changeHazard, createHazard, dangerousSetup, getHazard, type HazardDetail } from '@zhugong/contract/hazards/calls'
import { askedLevel, consequences, exposures, type Level, levels, likelihoods, type Step, scoreOf } from '@zhugong/contract/hazards/levels'
import { controlLevels, draftHazard } from '@zhugong/contract/hazards/moves'
import { Button, Input, Slider } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, RiskBadge } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, riskLevels } from '#kit/format.ts'
import { Choice, Choices, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { PlacePicker } from '../places/public.tsx'
import { anyProject, paths } from './hazard-words.tsx'

const { Field, useValue } = formOf(createHazard)
type Body = BodyOf<typeof createHazard>
const usualDays = 7

const aboutOf = (id: string, { name, part }: Pick<Body, 'name' | 'part'>) => ({
  id,
  title: `危险源 ${name}`,
  page: paths.list,
  lines: [{ label: '部位', text: part }],
})

export function NewHazard({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    action: 'submit',
    likelihood: 3,
    exposure: 6,
    consequence: 7,
    controlLevel: '2',
    checkEvery: usualDays,
    startDate: day(Date.now()),
    measures: [],
  }))
  const [held, hold, clear] = useDeviceDraft<Values>(`hazard ${projectCode}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createHazard, ({ body }) => aboutOf(body.id, body), {
    success: '危险源已提交',
    onDone: (made) => leave(made ? hrefOf(paths.detail, { id: made.id }) : paths.list),
    onKept: () => leave(paths.list),
  })
  return (
    <FormPage
      act={act}
      title="新建危险源"
      remark="随写随存在本机，没有网络也能提交"
      saveText="提交"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
      aside={<Judgement projectCode={projectCode} />}
    >
      <Fields projectCode={projectCode} onFilled={hold} />
    </FormPage>
  )
}

export function EditHazard({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getHazard, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  const act = useAct(changeHazard, { success: '已保存', onDone: () => page.leave(hrefOf(paths.detail, { id })) })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const action = file?.state === draftHazard ? 'submit' : 'change'
  return (
    <FormPage
      key={file?.version ?? 'none'}
      act={act}
      title="修改危险源"
      remark={file?.name}
      saveText={action === 'submit' ? '提交' : '保存'}
      loading={!file}
      schema={createHazard.schemas.body}
      initial={file ? valuesOf(file) : {}}
      input={(body) => {
        const { id: _id, action: _action, ...fields } = body as unknown as Body
        return {
          params: { id },
          query: anyProject,
          body: { ...fields, action, version: file?.version ?? 0 } as BodyOf<typeof changeHazard>,
        }
      }}
      aside={file && <Judgement projectCode={file.projectCode} before={file} />}
    >
      {file && <Fields projectCode={file.projectCode} onFilled={() => undefined} />}
    </FormPage>
  )
}

function valuesOf(file: HazardDetail): Values {
  const { id, name, hazardSource, part, placeId, pin, corpCode, bigProjectId, likelihood, exposure, consequence, riskLevel } = file
  const { controlLevel, measures, responsible, checkEvery, startDate, endDate } = file
  return {
    ...{ id, name, hazardSource, part, placeId, pin, corpCode, bigProjectId, likelihood, exposure, consequence, riskLevel },
    ...{ controlLevel, measures, responsible, checkEvery, startDate, endDate },
    action: 'submit',
  }
}

/** The level as judged, beside the form. */
function Judgement({ projectCode, before }: { projectCode: string; before?: HazardDetail }) {
  const likelihood = useValue('likelihood')
  const exposure = useValue('exposure')
  const consequence = useValue('consequence')
  const bigProjectId = useValue('bigProjectId')
  const setup = useSetup(projectCode)
  if (!likelihood || !exposure || !consequence) return <Card title="风险评价">选定可能性、暴露频次和后果后，这里给出等级</Card>
  const overScale = setup.data?.works.find((one) => one.id === bigProjectId)?.overScale ?? false
  const judged = { likelihood, exposure, consequence }
  const requiredLevel = askedLevel(judged, overScale)
  return (
    <Card title="风险评价">
      <p className="hazard-score">
        <b className="zg-num">{scoreOf(judged)}</b> <RiskBadge level={requiredLevel} />
      </p>
      <p className="zg-2">320 起一级，160 起二级，70 起三级，其余四级。等级可以提高；降低须写理由。</p>
      {overScale && <p className="tone-warning">超过一定规模的危大工程，不低于二级。</p>}
      {before && before.state !== draftHazard && <p>现行等级 {before.riskLevel} 级。</p>}
    </Card>
  )
}

export const useSetup = (projectCode: string) => useCall(dangerousSetup, { query: { projectCode } }, { quiet: true, offline: true })

function Fields({ projectCode, onFilled }: { projectCode: string; onFilled: (values: Values) => void }) {
  const dicts = useDicts('hazardSource')
  const form = useFormInstance()
  const setup = useSetup(projectCode).data
  const kinds = useValue('hazardSource') ?? []
  const measures = (useValue('measures') ?? []) as string[]
  const level = useValue('riskLevel')
  const likelihood = useValue('likelihood')
  const exposure = useValue('exposure')
  const consequence = useValue('consequence')
  const bigProjectId = useValue('bigProjectId')
  const overScale = setup?.works.find((one) => one.id === bigProjectId)?.overScale ?? false
  const requiredLevel = likelihood && exposure && consequence ? askedLevel({ likelihood, exposure, consequence }, overScale) : undefined
  const isLower = requiredLevel !== undefined && level !== undefined && Number(level) > Number(requiredLevel)
  const fitting = (setup?.measures ?? []).filter((one) => kinds.includes(one.hazardSource) && !measures.includes(one.text))
  const add = (text: string) => {
    form.setFieldsValue({ measures: [...measures, text] })
    onFilled(form.getFieldsValue(true) as Values)
  }
  return (
    <>
      <FieldGroup title="危险源">
        <Field name="name" label="名称">
          <Input placeholder="例如 12 层卸料平台" />
        </Field>
        <Field name="hazardSource" label="可能的伤害">
          <Choices options={dicts.options('hazardSource')} />
        </Field>
        <Field name="part" label="部位">
          <Input />
        </Field>
        <PlaceField projectCode={projectCode} onFilled={onFilled} />
        <Field name="corpCode" label="责任单位">
          <Choice clear={false} options={(setup?.corps ?? []).map((one) => ({ value: one.code, label: one.name }))} loading={!setup} />
        </Field>
        <Field name="bigProjectId" label="关联危大工程">
          <Choice
            options={(setup?.works ?? []).map((one) => ({ value: one.id, label: one.overScale ? `${one.name}（超规模）` : one.name }))}
            loading={!setup}
          />
        </Field>
      </FieldGroup>
      <FieldGroup title="风险评价">
        <Field name="likelihood" label="发生可能性" span="all">
          <StepSlider label="发生可能性" steps={likelihoods} />
        </Field>
        <Field name="exposure" label="暴露频次" span="all">
          <StepSlider label="暴露频次" steps={exposures} />
        </Field>
        <Field name="consequence" label="后果" span="all">
          <StepSlider label="后果" steps={consequences} />
        </Field>
        <Field name="riskLevel" label="风险等级" help={requiredLevel ? `按评价应为 ${requiredLevel} 级` : undefined}>
          <Choice clear={false} options={levels.map((one) => ({ value: one, label: levelName(one) }))} />
        </Field>
        {isLower && (
          <Field name="levelReason" label="降低理由" span={2} required>
            <Input placeholder="为什么低于评价的等级" />
          </Field>
        )}
      </FieldGroup>
      <FieldGroup title="管控">
        <Field
          name="measures"
          label="控制措施"
          span="all"
          help={
            fitting.length > 0 ? (
              <>
                措施库：
                {fitting.slice(0, 6).map((one) => (
                  <Button key={one.text} size="small" type="link" onClick={() => add(one.text)}>
                    {one.text}
                  </Button>
                ))}
              </>
            ) : (
              '一行一条'
            )
          }
        >
          <TextLines />
        </Field>
        <Field name="controlLevel" label="管控层级">
          <Choice clear={false} options={Object.entries(controlLevels).map(([value, label]) => ({ value, label }))} />
        </Field>
        <Field name="responsible" label="责任人">
          <Input />
        </Field>
        <Field name="checkEvery" label="巡查频次">
          <NumberInput unit="天一次" min={1} precision={0} />
        </Field>
        <Field name="startDate" label="起始日期">
          <DayInput />
        </Field>
        <Field name="endDate" label="预计解除">
          <DayInput />
        </Field>
      </FieldGroup>
    </>
  )
}

const levelName = (level: Level) => `${level} 级 ${riskLevels[Number(level) as keyof typeof riskLevels].name}`

/** One of the steps of the method, on a slider with what the step means. */
function StepSlider({
  id,
  label,
  steps,
  value,
  onChange,
}: {
  id?: string
  label: string
  steps: readonly Step[]
  value?: number
  onChange?: (value: number) => void
}) {
  const at = Math.max(
    0,
    steps.findIndex((one) => one.value === value),
  )
  const one = steps[at]
  return (
    <div className="hazard-step" id={id}>
      <Slider
        min={0}
        max={steps.length - 1}
        value={at}
        tooltip={{ open: false }}
        ariaLabelForHandle={label}
        ariaValueTextFormatterForHandle={(n) => steps[n]?.words ?? ''}
        onChange={(n) => onChange?.(steps[n]?.value ?? 0)}
      />
      <span>
        <b className="zg-num">{one?.value}</b> {one?.words}
      </span>
    </div>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Several short texts, one a line. */
function TextLines({ id, value, onChange }: { id?: string; value?: string[]; onChange?: (lines: string[]) => void }) {
  const [typed, setTyped] = useState((value ?? []).join('\n'))
  const lines = value ?? []
  // What is typed keeps its empty lines; lines that were added from elsewhere are shown at once.
  const text = linesOf(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n')
  return (
    <LongText
      {...(id ? { id } : {})}
      rows={4}
      value={text}
      onChange={(next) => {
        setTyped(next ?? '')
        onChange?.(linesOf(next ?? ''))
      }}
    />
  )
}

/** A place with a point on its plan; the point goes with the place. */
export function PlaceField({ projectCode, onFilled }: { projectCode: string; onFilled: (values: Values) => void }) {
  const form = useFormInstance()
  return (
    <Field name="placeId" label="位置" span={2}>
      <PinnedPlace
        projectCode={projectCode}
        pin={form.getFieldValue('pin') as HazardDetail['pin']}
        onPin={(pin) => {
          form.setFieldsValue({ pin })
          onFilled(form.getFieldsValue(true) as Values)
        }}
      />
    </Field>
  )
}

function PinnedPlace({
  id,
  projectCode,
  value,
  pin,
  onChange,
  onPin,
}: {
  id?: string
  projectCode: string
  value?: string | null
  pin: HazardDetail['pin'] | undefined
  onChange?: (placeId: string | null) => void
  onPin: (pin: HazardDetail['pin']) => void
}) {
  return (
    <PlacePicker
      id={id}
      projectCode={projectCode}
      placeId={value}
      pin={pin}
      withPin
      offline
      onChange={(chosen) => {
        onPin(chosen?.pin ?? null)
        onChange?.(chosen?.placeId ?? null)
      }}
    />
  )
}
