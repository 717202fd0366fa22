import { changeFire, createFire, type FireDetail, fireSetup, getFire } from '@zhugong/contract/fire/calls'
import { fireKinds, mostBuilds, partKinds } from '@zhugong/contract/fire/moves'
import { type BuildingUse, buildingUses, type PlaceRule, placesOf } from '@zhugong/contract/fire/place-rules'
import { Button, Checkbox, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Forbidden, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, DayInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, paths } from './fire-words.tsx'

const { Field, FieldList, useValue } = formOf(createFire)
type Body = BodyOf<typeof createFire>
const anyFile = 'image/*,.pdf,.dwg,.zip,.doc,.docx,.xls,.xlsx'
const mostFiles = 30

/** An application of the 建设单位, or a draft of it that is opened again. */
export function ApplyForm({ id }: { id: string | null }) {
  const read = useCall(getFire, { params: { id: id ?? '' }, query: anyProject }, { quiet: true, staleMs: 0, enabled: id !== null })
  const setup = useCall(fireSetup, { query: anyProject }, { quiet: true })
  const [chosen, setChosen] = useState<string>()
  const projects = setup.data?.projects ?? []
  const projectCode = read.data?.projectCode ?? chosen ?? projects[0]?.code
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return (
    <Can call={createFire} fallback={<Forbidden code="fire-acceptance.apply" />}>
      {id !== null ? (
        read.data && <Edit file={read.data} />
      ) : projectCode ? (
        <New
          key={projectCode}
          projectCode={projectCode}
          picker={
            <Choice
              aria-label="项目"
              clear={false}
              value={projectCode}
              options={projects.map((one) => ({ value: one.code, label: one.name }))}
              onChange={(next) => setChosen(next)}
            />
          }
        />
      ) : (
        <PageShell title="新建消防验收申请">
          {setup.data && <Notice tone="warning">没有以贵单位为建设单位的在建项目，不能申请。</Notice>}
        </PageShell>
      )}
    </Can>
  )
}

const emptyBuild = {
  unitId: null,
  floorsUp: 1,
  floorsDown: 0,
  areaDown: 0,
  addedPlaces: [],
  fireRating: '1',
  danger: '9',
  useProperty: '9',
}

function New({ projectCode, picker }: { projectCode: string; picker: ReactNode }) {
  const page = usePage()
  const [id] = useState(uid)
  const [action, setAction] = useState<Body['action']>('submit')
  const setup = useCall(fireSetup, { query: { projectCode } }, { quiet: true })
  const act = useAct(createFire, {
    success: action === 'submit' ? '已提交' : '草稿已保存',
    onDone: (made) => page.leave(hrefOf(paths.detail, { id: made.id })),
  })
  return (
    <FormPage
      act={act}
      title="新建消防验收申请"
      titleActions={picker}
      loading={!setup.data}
      saveText={action === 'submit' ? '提交' : '保存草稿'}
      barActions={<DraftSwitch action={action} onChange={setAction} />}
      initial={{
        id,
        action: 'submit',
        kind: '1',
        isPart: false,
        licenseNo: setup.data?.licenseNo ?? undefined,
        builds: [emptyBuild],
        parts: [],
        materials: [],
      }}
      input={(body) => ({ query: { projectCode }, body: { ...(body as Body), id, action } })}
      aside={<Found rules={setup.data?.rules ?? []} />}
    >
      <Fields projectCode={projectCode} />
    </FormPage>
  )
}

function DraftSwitch({ action, onChange }: { action: Body['action']; onChange: (action: Body['action']) => void }) {
  return (
    <Checkbox checked={action === 'save'} onChange={(event) => onChange(event.target.checked ? 'save' : 'submit')}>
      只存草稿
    </Checkbox>
  )
}

function Edit({ file }: { file: FireDetail }) {
  const page = usePage()
  const [action, setAction] = useState<Body['action']>('submit')
  const setup = useCall(fireSetup, { query: { projectCode: file.projectCode } }, { quiet: true })
  const act = useAct(changeFire, { success: '已保存', onDone: () => page.leave(hrefOf(paths.detail, { id: file.id })) })
  return (
    <FormPage
      key={file.version}
      act={act}
      title="消防验收申请"
      remark={file.projectName}
      loading={!setup.data}
      schema={createFire.schemas.body}
      saveText={action === 'submit' ? '提交' : '保存草稿'}
      barActions={<DraftSwitch action={action} onChange={setAction} />}
      initial={valuesOf(file)}
      input={(body) => {
        const { id: _id, action: _action, ...fields } = body as unknown as Body
        return {
          params: { id: file.id },
          query: anyProject,
          body: { ...fields, action, version: file.version } as BodyOf<typeof changeFire>,
        }
      }}
      aside={<Found rules={setup.data?.rules ?? []} />}
    >
      {file.noAcceptName && (
        <Notice tone="danger">
          不予受理（{file.noAcceptName}）：{file.noAcceptNote}
        </Notice>
      )}
      <Fields projectCode={file.projectCode} />
    </FormPage>
  )
}

function valuesOf(file: FireDetail): Values {
  const { id, contact, tel, isPart, designReviewNo, designReviewDate, licenseNo, parts, materials } = file
  const builds = file.buildRows.map(({ id: _id, places: _places, placeNames: _names, projects: _projects, judged: _judged, ...one }) => one)
  const kind = file.kind === fireKinds.special ? fireKinds.special : fireKinds.filing
  return { id, action: 'submit', kind, contact, tel, isPart, designReviewNo, designReviewDate, licenseNo, builds, parts, materials }
}

type Given = Partial<{
  use: BuildingUse
  areaUp: number
  areaDown: number
  height: number
  floorsUp: number
  name: string
  addedPlaces: string[]
}>

/** Which kinds of place the buildings are, by the same thresholds as on the server. */
function Found({ rules }: { rules: readonly PlaceRule[] }) {
  const builds = (useValue('builds') ?? []) as readonly Given[]
  const kind = useValue('kind')
  const rows = builds
    .filter((one) => one.use)
    .map((one) => ({
      one,
      found: placesOf(rules, {
        use: one.use ?? 'other',
        area: (one.areaUp ?? 0) + (one.areaDown ?? 0),
        height: one.height ?? 0,
        floorsUp: one.floorsUp ?? 0,
      }),
    }))
  const special = rows.some(
    ({ one, found }) => found.special || (one.addedPlaces ?? []).some((code) => rules.find((rule) => rule.code === code)?.special),
  )
  return (
    <Card title="重点场所">
      {rows.length === 0 && <p className="zg-2">填写单体的用途、面积和高度后，这里给出重点场所</p>}
      {rows.map(({ one, found }, i) => (
        <p key={`${i}-${one.name}`}>
          <b>{one.name || `单体 ${i + 1}`}</b>：属于 {found.places.join('、')} → {found.special ? '特殊建设工程' : '其他建设工程'} →{' '}
          {found.projects.length} 个项目
        </p>
      ))}
      {rows.length > 0 && special !== (kind === fireKinds.special) && (
        <Notice tone="warning">{special ? '属于特殊建设工程，业务类型应为消防验收' : '不属于特殊建设工程，业务类型应为验收备案'}</Notice>
      )}
    </Card>
  )
}

function Fields({ projectCode }: { projectCode: string }) {
  const dicts = useDicts('fireProjectKind', 'fireRating', 'fireDanger', 'fireUseProperty', 'structureType', 'firePlace')
  const kind = useValue('kind')
  return (
    <>
      <FieldGroup title="基本">
        <Field name="kind" label="业务类型">
          <Choice clear={false} options={dicts.options('fireProjectKind').filter((one) => one.value !== fireKinds.drawnFiling)} />
        </Field>
        <Field name="contact" label="联系人">
          <Input />
        </Field>
        <Field name="tel" label="电话">
          <Input />
        </Field>
        <Field name="isPart" label="局部验收" valueName="checked">
          <Checkbox>本次只验收局部</Checkbox>
        </Field>
      </FieldGroup>
      <FieldGroup title="设计审查与许可">
        <Field name="licenseNo" label="施工许可证号">
          <Input />
        </Field>
        {kind === fireKinds.special && (
          <>
            <Field name="designReviewNo" label="消防设计审查意见书文号" required>
              <Input />
            </Field>
            <Field name="designReviewDate" label="审查日期" required>
              <DayInput />
            </Field>
          </>
        )}
      </FieldGroup>
      <FieldGroup title="单体" actions={<UnitPicker projectCode={projectCode} />}>
        <FieldList name="builds" add="加单体" max={mostBuilds}>
          {({ index, name, remove }) => (
            <div className="fire-build">
              <p className="zg-row">
                <b>单体 {index + 1}</b>
                <button type="button" className="zg-bare zg-link zg-end" onClick={remove}>
                  移除
                </button>
              </p>
              <div className="zg-fields zg-fields-3">
                <Field name={name('name')} label="名称">
                  <Input />
                </Field>
                <Field name={name('use')} label="用途" help="决定重点场所">
                  <Choice clear={false} options={Object.entries(buildingUses).map(([value, label]) => ({ value, label }))} />
                </Field>
                <Field name={name('structureType')} label="结构类型">
                  <Choice options={dicts.options('structureType')} />
                </Field>
                <Field name={name('fireRating')} label="耐火等级">
                  <Choice clear={false} options={dicts.options('fireRating')} />
                </Field>
                <Field name={name('danger')} label="火灾危险性">
                  <Choice clear={false} options={dicts.options('fireDanger')} />
                </Field>
                <Field name={name('useProperty')} label="使用性质">
                  <Choice clear={false} options={dicts.options('fireUseProperty')} />
                </Field>
                <Field name={name('floorsUp')} label="地上层数">
                  <NumberInput unit="层" min={0} precision={0} />
                </Field>
                <Field name={name('floorsDown')} label="地下层数">
                  <NumberInput unit="层" min={0} precision={0} />
                </Field>
                <Field name={name('height')} label="高度">
                  <NumberInput unit="m" min={0} precision={2} />
                </Field>
                <Field name={name('areaUp')} label="地上面积">
                  <NumberInput unit="㎡" min={0} precision={2} />
                </Field>
                <Field name={name('areaDown')} label="地下面积">
                  <NumberInput unit="㎡" min={0} precision={2} />
                </Field>
                <Field name={name('footprint')} label="占地面积">
                  <NumberInput unit="㎡" min={0} precision={2} />
                </Field>
                <Field name={name('length')} label="长度">
                  <NumberInput unit="m" min={0} precision={2} />
                </Field>
                <Field name={name('addedPlaces')} label="另加重点场所" span="all" help="由面积、高度推定的场所不能去除，可以增加">
                  <Choices options={dicts.options('firePlace')} />
                </Field>
              </div>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="装修、保温、储罐堆场与改变用途">
        <FieldList name="parts" add="加一行">
          {({ name, remove }) => (
            <div className="fire-build">
              <div className="zg-fields zg-fields-3">
                <Field name={name('kind')} label="类别">
                  <Choice clear={false} options={Object.entries(partKinds).map(([value, label]) => ({ value, label }))} />
                </Field>
                <Field name={name('place')} label="部位、位置或原用途">
                  <Input />
                </Field>
                <Field name={name('content')} label="材料、形式或现用途">
                  <Input />
                </Field>
                <Field name={name('floor')} label="所在层">
                  <Input />
                </Field>
                <Field name={name('amount')} label="面积或容量">
                  <NumberInput min={0} precision={2} />
                </Field>
                <Field name={name('grade')} label="燃烧性能">
                  <Choice options={['A', 'B1', 'B2'].map((value) => ({ value, label: value }))} />
                </Field>
              </div>
              <button type="button" className="zg-bare zg-link" onClick={remove}>
                移除
              </button>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="材料">
        <Field name="materials" label="验收申请表、竣工验收报告、消防竣工图纸" span="all" required>
          <Upload max={mostFiles} accept={anyFile} />
        </Field>
      </FieldGroup>
    </>
  )
}

/** Takes the units of the project over as buildings. */
function UnitPicker({ projectCode }: { projectCode: string }) {
  const form = useFormInstance()
  const setup = useCall(fireSetup, { query: { projectCode } }, { quiet: true })
  const units = setup.data?.units ?? []
  if (units.length === 0) return null
  const take = () => {
    const given = (form.getFieldValue(['builds']) ?? []) as readonly Given[]
    const named = given.filter((one) => one.name)
    const fresh = units.filter((unit) => !named.some((one) => one.name === unit.name))
    form.setFieldValue(
      ['builds'],
      [
        ...named,
        ...fresh.map((unit) => ({
          ...emptyBuild,
          unitId: unit.id,
          name: unit.name,
          structureType: unit.structureType,
          areaUp: unit.area ?? 0,
          height: unit.height ?? undefined,
          floorsUp: unit.floorsUp ?? 1,
          floorsDown: unit.floorsDown ?? 0,
        })),
      ],
    )
  }
  return (
    <Button size="small" onClick={take}>
      取用项目单体（{units.length}）
    </Button>
  )
}
