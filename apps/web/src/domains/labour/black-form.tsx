import { addYears } from '@zhugong/contract/kit/years'
import { createCompanyBlack, createLaborBlack } from '@zhugong/contract/labour/black'
import { blackScopes } from '@zhugong/contract/labour/black-codes'
import { teamForm } from '@zhugong/contract/labour/teams'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { DependentFields } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { AreaInput, Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'

const { Field, useValue } = formOf(createLaborBlack, createCompanyBlack)

/** Scopes that a group of each type may request for an entry. */
const askable: Readonly<Record<number, readonly string[]>> = {
  1: [blackScopes.project, blackScopes.area],
  2: [blackScopes.project, blackScopes.company],
  3: [blackScopes.project, blackScopes.company],
}

/** Scope, period and facts of an entry. */
export function BlackReach() {
  const dicts = useDicts('blacklistScope')
  const type = useGroupType() ?? 0
  const scope = useValue('scope')
  const start = useValue('startDate')
  const form = useCall(teamForm, { query: {} }, { quiet: true })
  const projects = (form.data?.projects ?? []).map((p) => ({ value: p.code, label: p.name }))
  return (
    <>
      <Field name="scope" label="范围" help="项目级只拦本项目，企业级拦本企业全部项目，地区级由监管机构提出">
        <Choice clear={false} options={dicts.options('blacklistScope').filter((o) => askable[type]?.includes(o.value))} />
      </Field>
      {scope === blackScopes.project && (
        <DependentFields why="项目级须指明项目。">
          <Field name="scopeProject" label="生效项目" required>
            <Choice options={projects} loading={form.isPending} />
          </Field>
        </DependentFields>
      )}
      {scope === blackScopes.area && (
        <DependentFields why="地区级须在本机构管辖范围内。">
          <Field name="scopeArea" label="生效地区" required>
            <AreaInput />
          </Field>
        </DependentFields>
      )}
      {scope !== blackScopes.project && (
        <Field name="sourceProject" label="来源项目" help="事情发生的项目；没有可不填">
          <Choice options={projects} loading={form.isPending} />
        </Field>
      )}
      <Field name="startDate" label="列入日期">
        <DayInput />
      </Field>
      <Field name="endDate" label="移出日期" help="默认 1 年，最长 3 年，到期自动移出">
        <DayInput min={start ?? day(Date.now())} />
      </Field>
    </>
  )
}

export function BlackFacts({ docs }: { docs: string }) {
  return (
    <>
      <Field name="occurrenceDate" label="发生日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="reason" label="说明" span="all" help="至少 10 个字：时间、地点、经过、后果">
        <LongText rows={3} maxLength={500} />
      </Field>
      <Field name="files" label="依据材料" span="all" help={docs}>
        <Upload max={12} accept="image/*,application/pdf" />
      </Field>
    </>
  )
}

/** One year from today, the usual period. */
export function usualDays(): { startDate: string; endDate: string } {
  const today = day(Date.now())
  return { startDate: today, endDate: addYears(today, 1) }
}
