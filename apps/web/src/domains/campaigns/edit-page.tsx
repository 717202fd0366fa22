import { type CampaignDetail, changeCampaign, createCampaign, getCampaign } from '@zhugong/contract/campaigns/calls'
import { campaignStates, drawModeCodes, drawModes, recheckers } from '@zhugong/contract/campaigns/moves'
import { Button, Checkbox, Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { AreaInput, Choice, DayInput, NumberInput } from '#kit/inputs.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { useSheets } from './campaign-words.tsx'
import { Groups } from './group-fields.tsx'
import './campaigns.css'

const anywhere = { projectCode: '*' }
const { Field, FieldList, useValue } = formOf(createCampaign)

/** Sets up a campaign in one sitting; `copy` starts from an earlier one. */
export default function CampaignEditPage() {
  const query = usePageQuery()
  const given = query.get('id') ?? query.get('copy')
  if (given) return <Begun id={given} isCopy={!query.get('id')} />
  return <CampaignForm />
}

function Begun({ id, isCopy }: { id: string; isCopy: boolean }) {
  const read = useCall(getCampaign, { params: { id }, query: anywhere }, { quiet: true, staleMs: 0 })
  const waiting = useAct(createCampaign)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data)
    return (
      <FormPage act={waiting} title="省市督查" loading>
        {null}
      </FormPage>
    )
  return <CampaignForm file={read.data} isCopy={isCopy} />
}

function CampaignForm({ file, isCopy = false }: { file?: CampaignDetail; isCopy?: boolean }) {
  const page = usePage()
  const draft = isCopy ? undefined : file
  const isDraft = !draft || draft.state === campaignStates.draft
  const open = (id: string) => page.leave(hrefOf('/jgt/provinces/addProject', { planId: id }))
  const create = useAct(createCampaign, { success: '已下发', onDone: ({ id }) => open(id) })
  const change = useAct(changeCampaign, { success: '已下发', onDone: () => open(draft?.id ?? '') })
  const shared = {
    title: draft ? '修改督查' : '新建督查',
    remark: isCopy ? `复制自 ${file?.name ?? ''}` : undefined,
    saveText: '下发',
    readOnly: !isDraft,
    initial: file ? valuesOf(file, isCopy) : fresh,
    schema: createCampaign.schemas.body,
  }
  const fields = (
    <>
      <Fields lead={isDraft ? undefined : '已下发的督查不能修改，可取消后复制重建'} />
      {isDraft && <SaveDraft draft={draft} />}
    </>
  )
  if (draft)
    return (
      <FormPage
        act={change}
        {...shared}
        input={(body) => ({
          params: { id: draft.id },
          query: anywhere,
          body: { ...(body as BodyOf<typeof createCampaign>), action: 'issue' as const, version: draft.version },
        })}
      >
        {fields}
      </FormPage>
    )
  return (
    <FormPage
      act={create}
      {...shared}
      input={(body) => ({ query: anywhere, body: { ...(body as BodyOf<typeof createCampaign>), action: 'issue' as const } })}
    >
      {fields}
    </FormPage>
  )
}

/** Keeps what is there without asking for the rest. */
function SaveDraft({ draft }: { draft: CampaignDetail | undefined }) {
  const form = useFormInstance()
  const page = usePage()
  const leave = () => page.leave('/jgt/provinces/planManagement')
  const create = useAct(createCampaign, { success: '草稿已保存', onDone: leave })
  const change = useAct(changeCampaign, { success: '草稿已保存', onDone: leave })
  const save = () => {
    const body = form.getFieldsValue(true) as BodyOf<typeof createCampaign>
    if (draft) void change.run({ params: { id: draft.id }, query: anywhere, body: { ...body, action: 'save', version: draft.version } })
    else void create.run({ query: anywhere, body: { ...body, action: 'save' } })
  }
  return (
    <div className="campaign-draft">
      <Button loading={create.running || change.running} onClick={save}>
        存草稿
      </Button>
    </div>
  )
}

const fresh: Values = {
  action: 'issue',
  level: '3',
  startDate: day(Date.now()),
  surprise: false,
  drawMode: '2',
  deadlineDays: 7,
  recheck: 'district',
  groups: [
    { name: '第一检查组', members: [{ leader: true }, {}] },
    { name: '第二检查组', members: [{ leader: true }, {}] },
  ],
  quotas: [{ seats: 6 }],
  sheets: [],
}

const valuesOf = (file: CampaignDetail, isCopy: boolean): Values => ({
  action: 'issue',
  name: isCopy ? '' : file.name,
  level: file.level,
  startDate: isCopy ? day(Date.now()) : file.startDate,
  endDate: isCopy ? undefined : file.endDate,
  surprise: file.surprise,
  drawMode: file.drawMode,
  deadlineDays: file.deadlineDays,
  recheck: file.recheck,
  groups: file.groups.map(({ name, areaCode, members }) => ({
    name,
    areaCode,
    members: members.map(({ userId, expertId, leader, disciplines }) => ({ userId, expertId, leader, disciplines })),
  })),
  quotas: file.quotas.map(({ areaCode, riskLevel, category, seats }) => ({ areaCode, riskLevel, category, seats })),
  sheets: file.sheets.map(({ discipline, sheetCode }) => ({ discipline, sheetCode })),
})

const choices = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

function Fields({ lead }: { lead: string | undefined }) {
  const dicts = useDicts('govLevel')
  const levels = dicts.options('govLevel').filter((one) => ['2', '3'].includes(String(one.value)))
  return (
    <>
      {lead && <Notice tone="info">{lead}</Notice>}
      <FieldGroup title="基本">
        <Field name="name" label="督查名称" required span="all">
          <Input maxLength={100} placeholder="2026 年四季度全市建筑施工安全质量督查" />
        </Field>
        <Field name="level" label="督查层级" required>
          <Choice clear={false} options={levels} />
        </Field>
        <Field name="startDate" label="开始日期" required>
          <DayInput />
        </Field>
        <Field name="endDate" label="结束日期" required>
          <DayInput />
        </Field>
        <Field name="surprise" valueName="checked" label="飞检" help="检查组签到前，属地、企业和项目均不知情">
          <Checkbox>不发通知、不打招呼</Checkbox>
        </Field>
      </FieldGroup>
      <Groups />
      <Draw />
      <Sheets />
      <FieldGroup title="要求">
        <Field name="deadlineDays" label="默认整改期限" required>
          <NumberInput unit="天" min={1} max={60} />
        </Field>
        <Field name="recheck" label="整改复查" required>
          <Choice clear={false} options={choices(recheckers)} />
        </Field>
      </FieldGroup>
    </>
  )
}

function Draw() {
  const dicts = useDicts('riskLevel', 'projectCategory')
  const mode = useValue('drawMode')
  return (
    <FieldGroup title="抽取" remark="名额按行依次抽取，空着表示不限；下发后不能再改">
      <Field name="drawMode" label="抽取方式" required span="all">
        <Choice clear={false} options={choices(drawModes)} />
      </Field>
      {mode === drawModeCodes.drawn && (
        <div className="zg-span-all">
          <FieldList name="quotas" add="增加名额" max={30}>
            {({ name, remove, index }) => (
              <div className="campaign-quota">
                <Field name={name('areaCode')} label="区划">
                  <AreaInput placeholder="不限" />
                </Field>
                <Field name={name('riskLevel')} label="风险等级">
                  <Choice placeholder="不限" options={dicts.options('riskLevel')} />
                </Field>
                <Field name={name('category')} label="项目分类">
                  <Choice placeholder="不限" options={dicts.options('projectCategory')} />
                </Field>
                <Field name={name('seats')} label="名额" required>
                  <NumberInput unit="个" min={1} max={200} />
                </Field>
                <button type="button" className="zg-bare zg-link" onClick={remove} aria-label={`删除第 ${index + 1} 行名额`}>
                  删除
                </button>
              </div>
            )}
          </FieldList>
        </div>
      )}
    </FieldGroup>
  )
}

/** Minutes that one sheet takes on a site, for the preview of the time per project. */
const minutesPerSheet = 20

function Sheets() {
  const chosen = (useValue('sheets') ?? []) as readonly ChosenSheet[]
  const hours = (chosen.length * minutesPerSheet) / 60
  return (
    <FieldGroup title="检查表" remark="每个项目用同样的表，才能排名；每张表由一个专业负责">
      <div className="zg-span-all">
        <Field name="sheets" label={`已选 ${chosen.length} 张，每个项目约 ${hours.toFixed(1)} 小时`} required span="all">
          <SheetList />
        </Field>
      </div>
    </FieldGroup>
  )
}

interface ChosenSheet {
  discipline?: string
  sheetCode?: string
}

function SheetList({ value, onChange }: Control<ChosenSheet[]>) {
  const sheets = useSheets()
  const disciplines = useDicts('checkDiscipline').options('checkDiscipline')
  const chosen = value ?? []
  return (
    <ul className="campaign-sheets">
      {sheets.map(({ value: code, label, discipline }) => {
        const sheetCode = String(code)
        const one = chosen.find((sheet) => sheet.sheetCode === sheetCode)
        const others = chosen.filter((sheet) => sheet.sheetCode !== sheetCode)
        return (
          <li key={sheetCode}>
            <Checkbox checked={one !== undefined} onChange={() => onChange?.(one ? others : [...chosen, { discipline, sheetCode }])}>
              {label}
            </Checkbox>
            {one && (
              <Choice
                clear={false}
                aria-label={`${String(label)}的专业`}
                options={disciplines}
                value={one.discipline}
                onChange={(next) =>
                  onChange?.(
                    chosen.map((sheet) => (sheet.sheetCode === sheetCode ? { sheetCode, ...(next ? { discipline: next } : {}) } : sheet)),
                  )
                }
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
