import type { examineProposal } from '@zhugong/contract/examine/calls'
import type { Round } from '@zhugong/contract/examine/rhythm'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Checkbox, Input, Segmented, Select } from 'antd'
import { Card, Notice } from '#kit/feedback.tsx'
import { Choices, TimeInput } from '#kit/inputs.tsx'
import { Labelled } from '../checks/public.tsx'
import { roundOptions } from './examine-words.tsx'
import './examine.css'

export type Proposal = OutputFor<typeof examineProposal>
export type Corps = readonly { code: string; name: string; people: readonly string[] }[]

export interface SheetPick {
  sheetCode: string
  label: string
}
/** Who checks what, of whom, in which form. */
export interface Head {
  round: Round
  checkTime: string
  checkers: string[]
  part: string
  remark: string | null
  corpCodes: string[]
  sheets: SheetPick[]
}

interface HeadProps {
  value: Head
  proposal: Proposal | undefined
  corps: Corps
  faults: Readonly<Record<string, string>>
  onChange: (more: Partial<Head>) => void
}

/** The head of a check and its sheets: what does not stand on the site is left out with the reason. */
export function HeadFields({ value, proposal, corps, faults, onChange }: HeadProps) {
  const wrongSheets = Object.entries(faults).filter(([field]) => /^sheets(\.\d+\.(label|sheetCode))?$/.test(field))
  return (
    <>
      <Card title="检查信息">
        <Labelled label="检查形式" problem={faults.round}>
          {() => <Segmented block size="large" options={roundOptions} value={value.round} onChange={(round) => onChange({ round })} />}
        </Labelled>
        <Labelled label="检查时间" problem={faults.checkTime}>
          {(id) => <TimeInput id={id} value={value.checkTime} onChange={(checkTime) => onChange({ checkTime: checkTime ?? '' })} />}
        </Labelled>
        <Labelled label="检查人" problem={faults.checkers}>
          {(id) => (
            <Select
              id={id}
              mode="tags"
              className="check-part"
              placeholder="不填为本人"
              value={value.checkers}
              options={(proposal?.people ?? []).map((name) => ({ value: name, label: name }))}
              onChange={(checkers: string[]) => onChange({ checkers })}
            />
          )}
        </Labelled>
        <Labelled label="检查部位" problem={faults.part}>
          {(id) => <Input id={id} maxLength={100} value={value.part} onChange={(event) => onChange({ part: event.target.value })} />}
        </Labelled>
        <Labelled label="受检单位（可不选）" problem={faults.corpCodes}>
          {(id) => (
            <Choices
              id={id}
              options={corps.map((one) => ({ value: one.code, label: one.name }))}
              value={value.corpCodes}
              onChange={(corpCodes) => onChange({ corpCodes: corpCodes ?? [] })}
            />
          )}
        </Labelled>
        <Labelled label="检查情况（可不填）" problem={faults.remark}>
          {(id) => (
            <Input.TextArea
              id={id}
              rows={2}
              maxLength={500}
              value={value.remark ?? ''}
              onChange={(event) => onChange({ remark: event.target.value || null })}
            />
          )}
        </Labelled>
      </Card>
      <Card title="检查表" remark={`已选 ${value.sheets.length} 张；现场没有的机械不列其检查表`}>
        {wrongSheets.length > 0 && <Notice tone="danger">{wrongSheets.map(([, words]) => words).join('；')}</Notice>}
        <ul className="examine-sheets">
          {(proposal?.sheets ?? []).map((sheet) => (
            <SheetChoice key={sheet.code} sheet={sheet} all={value.sheets} onChange={(sheets) => onChange({ sheets })} />
          ))}
        </ul>
      </Card>
    </>
  )
}

interface SheetChoiceProps {
  sheet: Proposal['sheets'][number]
  all: readonly SheetPick[]
  onChange: (sheets: SheetPick[]) => void
}
/** A kind of sheet with its uses: several machines of one kind have a sheet each. */
function SheetChoice({ sheet, all, onChange }: SheetChoiceProps) {
  const own = all.flatMap((one, at) => (one.sheetCode === sheet.code ? [{ ...one, at }] : []))
  const add = () => onChange([...all, { sheetCode: sheet.code, label: '' }])
  return (
    <li>
      <div className="zg-row zg-wrap zg-gap-6 zg-middle">
        <Checkbox
          checked={own.length > 0}
          onChange={(event) => (event.target.checked ? add() : onChange(all.filter((one) => one.sheetCode !== sheet.code)))}
        >
          {sheet.name}
        </Checkbox>
        <span className="zg-2">
          {sheet.categoryName !== sheet.name && `${sheet.categoryName} · `}权重 {sheet.weight}
          {sheet.why && ` · ${sheet.why}`}
        </span>
        {own.length > 0 && (
          <button type="button" className="zg-bare zg-link zg-end" onClick={add}>
            再加一张
          </button>
        )}
      </div>
      {own.map(({ label, at }, i) => (
        <div key={at} className="examine-assign">
          <Input
            aria-label={`${sheet.name}第 ${i + 1} 张的对象`}
            placeholder={own.length > 1 ? '对象，如 1# 塔机' : '对象，可不填'}
            maxLength={30}
            value={label}
            onChange={(event) => onChange(all.map((one, n) => (n === at ? { ...one, label: event.target.value } : one)))}
          />
          {own.length > 1 && (
            <Button onClick={() => onChange(all.filter((_one, n) => n !== at))} aria-label={`移出${sheet.name}第 ${i + 1} 张`}>
              移出
            </Button>
          )}
        </div>
      ))}
    </li>
  )
}
