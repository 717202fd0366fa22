import type { BatchResult } from '@zhugong/contract/labour/model'
import { consentWorkers, moveWorkers, signWorkers, verifyWorkers } from '@zhugong/contract/personnel/batches'
import { signModes } from '@zhugong/contract/personnel/codes'
import { workerForm } from '@zhugong/contract/personnel/workers'
import { Checkbox, Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { ContractTerms } from './contract-terms.tsx'

const { Field, useValue } = formOf(moveWorkers, signWorkers, verifyWorkers, consentWorkers)

interface Many {
  people: readonly { id: string; name: string; projectCode: string }[]
  onClose: () => void
  /** Reports who was processed and who was refused. */
  onDone: (result: BatchResult) => void
}

/** 调班组 for several people of one project. */
export function MoveManyDrawer({ people, onClose, onDone }: Many) {
  const act = useAct(moveWorkers, { success: false, onDone: (r) => onDone(r) })
  const form = useCall(workerForm, { query: { projectCode: people[0]?.projectCode ?? '' } }, { quiet: true })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="批量调班组"
      remark={`${people.length} 人`}
      initial={{ ids: people.map((p) => p.id) }}
      input={(body: BodyOf<typeof moveWorkers>) => ({ body })}
      onClose={onClose}
    >
      <PlaceFields corps={form.data?.corps ?? []} teams={form.data?.teams ?? []} />
    </FormDrawer>
  )
}

function PlaceFields({
  corps,
  teams,
}: {
  corps: readonly { corpCode: string; corpName: string }[]
  teams: readonly { id: string; teamName: string; corpCode: string }[]
}) {
  const dicts = useDicts('workerType')
  const corpCode = useValue('corpCode')
  return (
    <>
      <Field name="corpCode" label="单位">
        <Choice clear={false} options={corps.map((c) => ({ value: c.corpCode, label: c.corpName }))} />
      </Field>
      <Field name="teamId" label="班组">
        <Choice options={teams.filter((t) => t.corpCode === corpCode).map((t) => ({ value: t.id, label: t.teamName }))} />
      </Field>
      <Field name="workType" label="工种" help="不选则各人沿用现在的工种">
        <Choice options={dicts.options('workerType')} />
      </Field>
    </>
  )
}

/** Records a declaration for several people; the log of each names the user who made it. */
export function DeclareDrawer({ kind, people, onClose, onDone }: Many & { kind: 'verify' | 'consent' }) {
  const verify = useAct(verifyWorkers, { success: false, onDone: (r) => onDone(r) })
  const agree = useAct(consentWorkers, { success: false, onDone: (r) => onDone(r) })
  const isVerify = kind === 'verify'
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={isVerify ? verify : agree}
      schema={(isVerify ? verifyWorkers : consentWorkers).schemas.body}
      title={isVerify ? '批量实名核验' : '批量登记告知同意'}
      remark={`${people.length} 人`}
      initial={{ ids: people.map((p) => p.id) }}
      input={(body: BodyOf<typeof verifyWorkers>) => ({ body })}
      onClose={onClose}
    >
      <Notice tone="warning">
        {isVerify
          ? '核验人和时间逐人记入操作日志；此前核验不一致的人员不在其内，须逐人读取证件。'
          : '按纸质告知同意书登记，登记人和时间逐人记入操作日志。'}
      </Notice>
      <Field name="seen" valueName="checked">
        <Checkbox>{isVerify ? '已逐人核对证件原件，姓名和号码与档案一致' : '已逐人收到本人签字的告知同意书'}</Checkbox>
      </Field>
    </FormDrawer>
  )
}

/** 批量签合同: same terms, own number for each; signed scans are added to each contract later. */
export function SignDrawer({ people, onClose, onDone }: Many) {
  const act = useAct(signWorkers, { success: false, onDone: (r) => onDone(r) })
  const dicts = useDicts('contractKind')
  return (
    <FormDrawer
      open
      act={act}
      title="批量签合同"
      remark={`${people.length} 人，条款相同，编号各不相同`}
      initial={{
        ids: people.map((p) => p.id),
        codePrefix: `HT-${day(Date.now()).slice(0, 4)}-`,
        codeFrom: 1,
        contractKind: '1',
        contractPeriodType: '1',
        paymentType: '1',
        payDay: 15,
        signMode: signModes.paper,
        signDate: day(Date.now()),
      }}
      input={(body: BodyOf<typeof signWorkers>) => ({ body })}
      onClose={onClose}
      saveText="签订"
    >
      <Field name="codePrefix" label="编号前缀" help="编号为前缀加 4 位序号，如 HT-2026-0001">
        <Input maxLength={44} />
      </Field>
      <Field name="codeFrom" label="起始序号" help="已用过的编号自动跳过">
        <NumberInput min={1} max={9999} />
      </Field>
      <Field name="contractKind" label="合同类别">
        <Choice options={dicts.options('contractKind')} />
      </Field>
      <ContractTerms startHelp="不填则各人从本人进场日期起；填写的不能晚于进场日期" />
    </FormDrawer>
  )
}
