import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { manualWeighing } from '@zhugong/contract/monitoring/weigh/weighing'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Forbidden, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage } from '#kit/page.tsx'
import { CargoFields, Result } from './ticket-fields.tsx'

const { Field, useValue } = formOf(manualWeighing)

const types = Object.entries(weighTypeNames).map(([value, label]) => ({ value, label }))
const decimals = 3

/** Form of a manual weighing while the bridge is offline; a second person must approve its weights. */
export function ManualTicket({ deviceId }: { deviceId: string | undefined }) {
  const projectCode = useProjectCode()
  const may = useCan(manualWeighing)
  const page = usePage()
  const bridges = useCall(
    listDevices,
    { query: { projectCode, family: 'weighbridge', with: 'latest', status: '1', size: 100 } },
    { quiet: true, enabled: may && projectCode !== '*' },
  )
  const act = useAct(manualWeighing, {
    success: '已登记，重量等待审核',
    onDone: ({ id }) => page.leave(hrefOf('/loadometer/detail', { id })),
  })
  if (!may || projectCode === '*')
    return (
      <PageShell>
        <Card>
          {may ? <Notice tone="warning">请先在页头选择一个项目</Notice> : <Forbidden page="手工补录" code="weighbridge.manual" />}
        </Card>
      </PageShell>
    )
  const list = bridges.data?.list ?? []
  return (
    <FormPage
      act={act}
      loading={bridges.isPending}
      title="手工补录过磅"
      initial={{ deviceId: list.find((one) => one.id === deviceId)?.id ?? list[0]?.id, weighType: '1' }}
      input={(body: BodyOf<typeof manualWeighing>) => ({ query: { projectCode }, body })}
      barRemark="补录的磅单在列表、统计与打印中标明手工；重量须由他人审核后生效"
    >
      <FieldGroup title="车辆与货物">
        <Field name="deviceId" label="地磅" help={<BridgeState online={Object.fromEntries(list.map((one) => [one.id, one.online]))} />}>
          <Choice options={list.map((one) => ({ value: one.id, label: one.name }))} />
        </Field>
        <Field name="plateNo" label="车牌">
          <Input placeholder="如 鄂B32817" />
        </Field>
        <Field name="weighType" label="类型">
          <Choice options={types} />
        </Field>
        <CargoFields projectCode={projectCode} />
      </FieldGroup>
      <FieldGroup title="重量">
        <Field name="grossWeight" label="毛重" help="毛重与皮重至少填写一项">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Field name="grossTime" label="毛重时间" help="不填为现在，最早 7 天前">
          <TimeInput />
        </Field>
        <Field name="tareWeight" label="皮重">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Field name="tareTime" label="皮重时间">
          <TimeInput />
        </Field>
        <Field name="billWeight" label="面单重量">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Field name="deductWeight" label="扣重" help="含水、含泥、杂质">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Result />
      </FieldGroup>
      <FieldGroup title="依据">
        <Field name="reason" label="补录原因" span="all" help="如地磅离线、停电、检定">
          <LongText />
        </Field>
        <Field name="photos" label="照片" span="all" help="车头、货厢与手写磅单，最多 6 张">
          <Upload max={6} maxMb={10} />
        </Field>
      </FieldGroup>
    </FormPage>
  )
}

function BridgeState({ online }: { online: Readonly<Record<string, boolean>> }) {
  const chosen = useValue('deviceId')
  if (chosen === undefined) return null
  return <>{online[chosen] ? '地磅现在在线，补录时会写明' : '地磅现在离线'}</>
}
