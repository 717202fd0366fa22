import { listDaily } from '@zhugong/contract/attendance/days'
import { type CorrectionKind, correctionKinds } from '@zhugong/contract/attendance/facts'
import { createFix } from '@zhugong/contract/attendance/fix-endpoints'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText, TimeInput, Upload } from '#kit/inputs.tsx'

const { Field } = formOf(createFix)

export interface FixWanted {
  kind: CorrectionKind
  projectCode: string
  /** People concerned; undefined if the correction is about a record or the whole site. */
  workerIds?: readonly string[]
  /** Names, or a number of people, for the title. */
  who: string
  date: string
  /** The day has no records: one request carries both entry and exit time. */
  wholeDay?: boolean
  /** Id of the record to correct, or of the correction to withdraw. */
  target?: string
}

const directions = [
  { value: '01', label: '入场' },
  { value: '02', label: '出场' },
]
const helps: Partial<Record<CorrectionKind, string>> = {
  add: '按监控、班组日志等凭证填写实际通行时间；批准后作为一条补录记录计入，原记录不变。',
  void: '所指记录不再计入当日；记录本身与账本不变。',
  leave: '请假期间有通行照常记录，不判迟到、早退与缺勤。',
  stopDay: '全项目当日按停工处理，不判迟到、早退与缺勤；通行与工时照常计。',
  release: '记录因时钟或位置被搁置，放行后按所填时间计入。',
  direction: '改正设备报错的方向。',
  revoke: '已生效的更正不再有效，当日重新计算。',
  assign: '把陌生人的通行认领给本项目人员，须核对照片。',
}

/** Largest page size; on larger sites people are searched by name. */
const mostPeople = 1000

function PersonChoice({
  projectCode,
  date,
  value,
  onChange,
  ...rest
}: {
  projectCode: string
  date: string
  value?: string[]
  onChange?: (value: string[]) => void
  id?: string
}) {
  const { data, isPending } = useCall(listDaily, { query: { projectCode, date, size: mostPeople, sort: 'name' } }, { quiet: true })
  return (
    <Choice
      {...rest}
      loading={isPending}
      options={(data?.list ?? []).map((r) => ({ value: r.workerId, label: `${r.name} ${r.teamName ?? r.corpName ?? ''}` }))}
      value={value?.[0] ?? null}
      onChange={(next) => onChange?.(next ? [next] : [])}
    />
  )
}

/** Requests a correction; it takes effect after another person approves it. */
export function FixDrawer({ wanted, onClose }: { wanted: FixWanted; onClose: () => void }) {
  const { kind, projectCode, workerIds = [], date, target } = wanted
  const wholeDay = kind === 'add' && wanted.wholeDay
  const act = useAct(createFix, {
    success: ({ ids, remark }) => `已提交 ${ids.length} 条，${remark}`,
    onDone: () => {
      onClose()
      refresh()
    },
  })
  const period = kind === 'leave' || kind === 'stopDay'
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title={correctionKinds[kind]}
      remark={wanted.who}
      initial={{
        kind,
        workerIds: [...workerIds],
        target,
        fromDay: period ? date : undefined,
        toDay: period ? date : undefined,
        time: kind === 'add' ? `${date} ${wholeDay ? '07:00:00' : '18:00:00'}` : undefined,
        leftTime: wholeDay ? `${date} 18:00:00` : undefined,
        direction: kind === 'add' ? (wholeDay ? '01' : '02') : undefined,
        files: [],
      }}
      input={(body) => ({ query: { projectCode }, body })}
      onClose={onClose}
    >
      <Notice tone="info">{helps[kind]}</Notice>
      {kind === 'assign' && (
        <Field name="workerIds" label="认领为" required>
          <PersonChoice projectCode={projectCode} date={date} />
        </Field>
      )}
      {kind === 'add' && (
        <Field name="time" label={wholeDay ? '入场时间' : '实际时间'} required>
          <TimeInput />
        </Field>
      )}
      {wholeDay && (
        <Field name="leftTime" label="出场时间" required help="当日没有通行记录，入场和出场一并申请">
          <TimeInput />
        </Field>
      )}
      {kind === 'release' && (
        <Field name="time" label="实际时间" help="设备时间正确时不填">
          <TimeInput />
        </Field>
      )}
      {((kind === 'add' && !wholeDay) || kind === 'direction') && (
        <Field name="direction" label="方向" required>
          <Choice clear={false} options={directions} />
        </Field>
      )}
      {period && (
        <>
          <Field name="fromDay" label="开始日期" required>
            <DayInput />
          </Field>
          <Field name="toDay" label="结束日期" required>
            <DayInput />
          </Field>
        </>
      )}
      <Field name="reason" label="原因" required help="至少 5 个字，写明凭证">
        <LongText rows={3} maxLength={200} />
      </Field>
      <Field name="files" label="附件">
        <Upload max={9} />
      </Field>
    </FormDrawer>
  )
}
