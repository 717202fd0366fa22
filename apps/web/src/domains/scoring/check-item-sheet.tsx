import {
  type CheckItem,
  changeCheckItem,
  createCheckItem,
  listCheckItems,
  mostPhrases,
  takableMarks,
} from '@zhugong/contract/scoring/library'
import { sheetMarks } from '@zhugong/contract/scoring/score'
import { Input, Select } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice, Pairs } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, LongText, NumberInput } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'

const query = { projectCode: '*' }
const library = 'safety' as const
/** Of one library. */
const allItems = 1000

interface Draft {
  takenFrom: string
  name: string
  maxScore: number
  clause: string | null
  rule: string | null
  phrases: string[]
}

/** A new item, a new version of an own one, or the phrases of an item of the standard. */
export function CheckItemSheet({
  item,
  sheetCode,
  onClose,
}: {
  item: CheckItem | undefined
  sheetCode: string | undefined
  onClose: () => void
}) {
  const [id] = useState(() => uid())
  const [draft, setDraft] = useState<Draft>(() => ({
    takenFrom: item?.takenFrom ?? '',
    name: item?.name ?? '',
    maxScore: item?.maxScore ?? 2,
    clause: item?.clause ?? null,
    rule: item?.rule ?? null,
    phrases: item?.phrases ?? [],
  }))
  const [dirty, setDirty] = useState(false)
  const change = (more: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...more }))
    setDirty(true)
  }
  const create = useAct(createCheckItem, { success: '检查项已新增', onDone: onClose })
  const update = useAct(changeCheckItem, { success: '已保存，之后开始的检查使用新版本', onDone: onClose })
  const isStandard = item !== undefined && item.id === null
  const errors = { ...create.fieldErrors, ...update.fieldErrors }
  const save = () => {
    const { takenFrom, ...fields } = draft
    if (!item) return void create.run({ query, body: { id, library, takenFrom, ...fields } }, { fieldsShown: true })
    if (item.id === null)
      return void update.run(
        { query, body: { action: 'phrases', library, itemCode: item.itemCode, phrases: draft.phrases } },
        { fieldsShown: true },
      )
    void update.run({ query, body: { action: 'edit', id: item.id, version: item.version, ...fields } }, { fieldsShown: true })
  }
  return (
    <FormSheet
      title={!item ? '新增检查项' : isStandard ? `常用问题 ${item.name}` : `编辑检查项 ${item.name}`}
      remark={
        isStandard
          ? '标准项只能维护常用问题'
          : item
            ? '保存为新版本，已开始和已提交的检查不变'
            : '分值从标准项中划出，检查表满分仍为 100 分'
      }
      saving={create.running || update.running}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={dirty}
    >
      <div className="scoring-form">
        {isStandard ? (
          <Pairs
            items={[
              { label: '编码', value: item.itemCode },
              { label: '检查表', value: item.sheetName },
              { label: '满分', value: item.maxScore },
              { label: '保证项目', value: item.guarantee ? '是' : '否' },
            ]}
          />
        ) : (
          <>
            <TakenFrom draft={draft} item={item} sheetCode={sheetCode} errors={errors} onChange={change} />
            <Labelled label="检查项" error={errors.name}>
              {(key) => <Input id={key} maxLength={60} value={draft.name} onChange={(event) => change({ name: event.target.value })} />}
            </Labelled>
            <Labelled label="条款" error={errors.clause}>
              {(key) => (
                <Input
                  id={key}
                  maxLength={200}
                  placeholder="企业标准或规范条款，可不填"
                  value={draft.clause ?? ''}
                  onChange={(event) => change({ clause: event.target.value || null })}
                />
              )}
            </Labelled>
            <Labelled label="扣分标准" error={errors.rule}>
              {(key) => (
                <LongText id={key} rows={2} maxLength={500} value={draft.rule} onChange={(rule) => change({ rule: rule || null })} />
              )}
            </Labelled>
          </>
        )}
        <Labelled
          label={`常用问题（最多 ${mostPhrases} 条，回车分隔）`}
          error={Object.entries(errors).find(([field]) => field.startsWith('phrases'))?.[1]}
        >
          {(key) => (
            <Select
              id={key}
              mode="tags"
              open={false}
              suffixIcon={null}
              maxCount={mostPhrases}
              value={draft.phrases}
              onChange={(phrases: string[]) => change({ phrases })}
            />
          )}
        </Labelled>
      </div>
    </FormSheet>
  )
}

/** The item of the standard that gives the marks, and what remains of it: said while it is typed. */
function TakenFrom({
  draft,
  item,
  sheetCode,
  errors,
  onChange,
}: {
  draft: Draft
  item: CheckItem | undefined
  sheetCode: string | undefined
  errors: Readonly<Record<string, string>>
  onChange: (more: Partial<Draft>) => void
}) {
  const read = useCall(listCheckItems, { query: { ...query, library, size: allItems, sort: 'itemCode' } }, { quiet: true })
  const all = read.data?.list ?? []
  const standard = all.filter((one) => one.owner === 'standard' && takableMarks(one.standardScore) > 0)
  const offered = standard.filter((one) => item !== undefined || sheetCode === undefined || one.sheetCode === sheetCode)
  const from = standard.find((one) => one.itemCode === draft.takenFrom)
  const others = all
    .filter((one) => one.takenFrom === draft.takenFrom && one.enable && one.itemCode !== item?.itemCode)
    .reduce((total, one) => total + one.maxScore, 0)
  const most = from ? takableMarks(from.standardScore) - others : 0
  return (
    <>
      <Labelled label="从哪个标准项划出分值" error={errors.takenFrom}>
        {(key) => (
          <Choice
            id={key}
            clear={false}
            disabled={item !== undefined}
            loading={!read.data}
            value={draft.takenFrom || undefined}
            options={offered.map((one) => ({ value: one.itemCode, label: `${one.sheetName} · ${one.name}（${one.standardScore} 分）` }))}
            onChange={(takenFrom) => onChange({ takenFrom: takenFrom ?? '' })}
          />
        )}
      </Labelled>
      <Labelled label="满分" error={errors.maxScore}>
        {(key) => (
          <NumberInput
            id={key}
            unit="分"
            min={1}
            max={20}
            precision={0}
            value={draft.maxScore}
            onChange={(maxScore) => onChange({ maxScore: maxScore ?? 1 })}
          />
        )}
      </Labelled>
      {from && (
        <Notice tone={draft.maxScore > most ? 'danger' : 'fine'}>
          {draft.maxScore > most
            ? `“${from.name}”还能划出 ${Math.max(0, most)} 分`
            : `“${from.name}”余 ${from.standardScore - others - draft.maxScore} 分，${from.sheetName}满分仍为 ${sheetMarks} 分${from.guarantee ? '；本项随之为保证项目' : ''}`}
        </Notice>
      )}
    </>
  )
}

function Labelled({ label, error, children }: { label: string; error: string | undefined; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div data-wrong={error ? true : undefined}>
      <label className="zg-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
      {error && <small className="tone-danger">{error}</small>}
    </div>
  )
}
