import { changeDriver, createDriver, type DriverDetail, driverSetup, getDriver, passedDriver } from '@zhugong/contract/drivers/calls'
import { driverTypes, licenceFits } from '@zhugong/contract/drivers/rules'
import { useAct, useCall } from '#kit/call.ts'
import { ErrorPanel, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, ReadOnly, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { paths } from './driver-words.tsx'

const { Field, useValue } = formOf(createDriver)
type Body = BodyOf<typeof createDriver>

/** Register or correct one operator (`?id=`): everything that the person's file knows is taken from it. */
export default function DriverFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Change id={id} />
  if (projectCode === '*') return <ProjectPicker why="登记哪个项目的司机" />
  return <Create key={projectCode} projectCode={projectCode} />
}

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const act = useAct(createDriver, {
    success: '已提交审核',
    onDone: (made) => page.leave(hrefOf(paths.detail, { id: made.id })),
  })
  return (
    <FormPage act={act} title="登记司机" saveText="提交审核" initial={{ projectCode, deviceIds: [] }} input={(body) => ({ body })}>
      <Fields projectCode={projectCode} />
    </FormPage>
  )
}

function Change({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getDriver, { params: { id } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const act = useAct(changeDriver, { success: '已提交审核', onDone: () => page.leave(hrefOf(paths.detail, { id })) })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return (
    <FormPage
      key={file?.version ?? 'none'}
      act={act}
      title="修改司机"
      remark={file?.name}
      saveText="提交审核"
      loading={!file}
      schema={createDriver.schemas.body}
      initial={file ? valuesOf(file) : {}}
      input={(body) => {
        const { projectCode: _project, ...fields } = body as unknown as Body
        return { params: { id }, body: { ...fields, version: file?.version ?? 0 } }
      }}
    >
      {file && <Fields projectCode={file.projectCode} file={file} />}
    </FormPage>
  )
}

const valuesOf = ({ projectCode, workerId, driverType, devices }: DriverDetail) => ({
  projectCode,
  workerId,
  driverType,
  deviceIds: devices.map((one) => one.deviceId),
})

function Fields({ projectCode, file }: { projectCode: string; file?: DriverDetail }) {
  const form = useFormInstance()
  const setup = useCall(driverSetup, { query: { projectCode } }, { quiet: true }).data
  const workerId = useValue('workerId')
  const driverType = useValue('driverType') ?? ''
  const certId = useValue('certId')
  const worker = setup?.workers.find((one) => one.workerId === workerId)
  const fitting = worker?.certs.filter((one) => licenceFits(driverType, one.certType)) ?? []
  const cert = fitting.find((one) => one.id === certId)
  const families = driverTypes[driverType]?.families ?? []
  const clear = () => form.setFieldsValue({ certId: undefined, deviceIds: [] })
  return (
    <>
      {file?.auditStatus === passedDriver && <Notice tone="info">提交后重新审核，审核前设备仍按原登记识别。</Notice>}
      <FieldGroup title="人员">
        {file ? (
          <Field name="workerId" label="人员">
            <ReadOnly value={`${file.name}　${file.idCardNumber}`} />
          </Field>
        ) : (
          <Field name="workerId" label="人员" help="从有特种作业证的在场人员中选择">
            <Cleared
              onCleared={clear}
              options={(setup?.workers ?? []).map((one) => ({
                value: one.workerId,
                label: [one.name, one.teamName, one.idCardNumber].filter(Boolean).join(' · '),
              }))}
              loading={!setup}
            />
          </Field>
        )}
        {file ? (
          <Field name="driverType" label="人员类型">
            <ReadOnly value={file.driverTypeName} />
          </Field>
        ) : (
          <Field name="driverType" label="人员类型">
            <Cleared onCleared={clear} options={Object.entries(driverTypes).map(([value, { name }]) => ({ value, label: name }))} />
          </Field>
        )}
        <Field
          name="certId"
          label="操作证"
          span={2}
          help={worker && driverType && fitting.length === 0 ? '本人没有与该类型相符的操作证，请先在人员档案中登记' : undefined}
        >
          <Choice
            clear={false}
            loading={!setup}
            options={fitting.map((one) => ({
              value: one.id,
              label: `${one.certTypeName} ${one.certNo} 至 ${one.validEnd}${one.ended ? '（已到期）' : ''}`,
            }))}
          />
        </Field>
        {cert?.ended && <Notice tone="danger">该证书已到期，不能登记。</Notice>}
        {worker && !worker.faceConsent && <Notice tone="warning">本人未同意使用人脸，设备上只能刷卡识别。</Notice>}
      </FieldGroup>
      <FieldGroup title="设备">
        <Field name="deviceIds" label="可操作设备" span="all">
          <Choices
            loading={!setup}
            options={(setup?.devices ?? [])
              .filter((one) => families.includes(one.family))
              .map((one) => ({ value: one.id, label: one.name }))}
          />
        </Field>
      </FieldGroup>
    </>
  )
}

/** A choice on which others depend: changing it clears them. */
function Cleared({
  onCleared,
  onChange,
  ...rest
}: {
  id?: string
  value?: string
  options: readonly { value: string; label: string }[]
  loading?: boolean
  onChange?: (value: string | undefined) => void
  onCleared: () => void
}) {
  return (
    <Choice
      {...rest}
      clear={false}
      onChange={(next) => {
        onChange?.(next)
        onCleared()
      }}
    />
  )
}
