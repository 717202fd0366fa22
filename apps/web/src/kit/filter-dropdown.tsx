import { SearchOutlined } from '@ant-design/icons'
import { Button, Cascader, Checkbox, DatePicker, Input, Radio, TimePicker } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useAreaTree } from './area-tree.ts'
import { dayjs } from './dates.ts'
import {
  emptySentinel,
  type FilterKind,
  filterTextMax,
  numericOnly,
  type Option,
  type TreeOption,
  toggleChoice,
  treePath,
} from './list-state.ts'

export interface FilterDropdownProps {
  kind: FilterKind
  title: string
  value: string | undefined
  options?: readonly Option[] | undefined
  tree?: readonly TreeOption[] | undefined
  onSearch: (value: string | undefined) => void
  onReset: () => void
}

const pair = (value: string | undefined): [string, string] => {
  const [from = '', to = ''] = (value ?? '').split(',')
  return [from, to]
}
const joinPair = (from: string, to: string): string => (from || to ? `${from},${to}` : '')
const asDay = (text: string, format: string) => (text ? dayjs(text, format) : null)

/** The 224 px dropdown of a column header, with one control per kind of filter and always with 重置 and 搜索. */
export function FilterDropdown(props: FilterDropdownProps) {
  const { kind, title, value, onSearch, onReset } = props
  const [draft, setDraft] = useState(value ?? '')
  useEffect(() => setDraft(value ?? ''), [value])
  const search = () => onSearch(draft === '' || draft === ',' ? undefined : draft.trim())
  const chosen = draft ? draft.split(',') : []
  const many = kind === 'multi' || kind === 'checkbox-empty'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys typed in the dropdown must not reach the table's header.
    <div className="zg-filter" onKeyDown={(event) => event.stopPropagation()}>
      <FilterControl {...props} draft={draft} setDraft={setDraft} search={search} />
      <div className="foot">
        <span className="count">{many && chosen.length > 0 ? `已选 ${chosen.length} 项` : ''}</span>
        <Button
          size="small"
          onClick={() => {
            setDraft('')
            onReset()
          }}
        >
          重置
        </Button>
        <Button size="small" type="primary" onClick={search} aria-label={`搜索${title}`}>
          搜索
        </Button>
      </div>
    </div>
  )
}

interface ControlProps extends FilterDropdownProps {
  draft: string
  setDraft: (value: string) => void
  search: () => void
}

function FilterControl({ kind, title, options = [], tree, draft, setDraft, search }: ControlProps): ReactNode {
  const areaTree = useAreaTree(kind === 'area-cascader' && !tree)
  const [from, to] = pair(draft)
  const wide = { width: '100%' }
  switch (kind) {
    case 'text':
      return (
        <Input
          autoFocus
          value={draft}
          maxLength={filterTextMax}
          placeholder={`搜索${title}`}
          prefix={<SearchOutlined />}
          aria-label={title}
          onChange={(event) => setDraft(event.target.value)}
          onPressEnter={search}
        />
      )
    case 'single':
      return (
        <Choices options={options} title={title} single chosen={draft ? [draft] : []} onChange={(next) => setDraft(next.at(-1) ?? '')} />
      )
    case 'multi':
    case 'checkbox-empty':
      return (
        <Choices
          options={kind === 'checkbox-empty' ? [...options, { value: emptySentinel, label: '空' }] : options}
          title={title}
          chosen={draft ? draft.split(',') : []}
          onChange={(next) => setDraft(next.join(','))}
        />
      )
    case 'time':
      return (
        <TimePicker
          format="HH:mm"
          style={wide}
          value={asDay(draft, 'HH:mm')}
          onChange={(at) => setDraft(at ? at.format('HH:mm') : '')}
          aria-label={title}
        />
      )
    case 'time-range':
      return (
        <TimePicker.RangePicker
          format="HH:mm"
          style={wide}
          order={false}
          allowEmpty={[true, true]}
          value={[asDay(from, 'HH:mm'), asDay(to, 'HH:mm')]}
          onChange={(range) => setDraft(joinPair(range?.[0]?.format('HH:mm') ?? '', range?.[1]?.format('HH:mm') ?? ''))}
        />
      )
    case 'date':
    case 'month':
    case 'year': {
      const format = { date: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' }[kind]
      return (
        <DatePicker
          picker={kind}
          format={format}
          style={wide}
          value={asDay(draft, format)}
          onChange={(at) => setDraft(at ? at.format(format) : '')}
          aria-label={title}
        />
      )
    }
    case 'date-range':
    case 'datetime-range': {
      const format = kind === 'date-range' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss'
      // Two fields, one below the other: a range picker does not fit into 224 px.
      return (
        <div className="zg-stack">
          {(['起', '止'] as const).map((word, i) => (
            <DatePicker
              key={word}
              showTime={kind === 'datetime-range'}
              format={format}
              style={wide}
              placeholder={i === 0 ? '从' : '到'}
              aria-label={`${title}${word}`}
              value={asDay(i === 0 ? from : to, format)}
              onChange={(at) => {
                const text = at ? at.format(format) : ''
                setDraft(i === 0 ? joinPair(text, to) : joinPair(from, text))
              }}
            />
          ))}
        </div>
      )
    }
    case 'area-cascader':
    case 'tree-cascader': {
      const nodes = tree ?? areaTree
      return (
        <Cascader
          style={wide}
          changeOnSelect
          options={nodes as TreeOption[]}
          value={treePath(nodes, draft) ?? []}
          onChange={(path) => setDraft(String(path?.at(-1) ?? ''))}
          showSearch
          placeholder={`选择${title}`}
          aria-label={title}
        />
      )
    }
    case 'numeric-range':
      return (
        <div className="pair">
          <Input
            value={from}
            inputMode="decimal"
            placeholder="最小"
            aria-label={`${title}最小`}
            onChange={(event) => setDraft(joinPair(numericOnly(event.target.value), to))}
            onPressEnter={search}
          />
          <span>至</span>
          <Input
            value={to}
            inputMode="decimal"
            placeholder="最大"
            aria-label={`${title}最大`}
            onChange={(event) => setDraft(joinPair(from, numericOnly(event.target.value)))}
            onPressEnter={search}
          />
        </div>
      )
  }
}

function Choices({
  options,
  title,
  chosen,
  onChange,
  single,
}: {
  options: readonly Option[]
  title: string
  chosen: readonly string[]
  onChange: (next: string[]) => void
  single?: boolean
}) {
  const [word, setWord] = useState('')
  const shown = word ? options.filter((option) => option.label.includes(word)) : options
  const real = options.filter((option) => option.value !== emptySentinel)
  const picked = real.filter((option) => chosen.includes(option.value)).length
  return (
    <>
      {options.length > 7 && (
        <Input
          value={word}
          maxLength={filterTextMax}
          prefix={<SearchOutlined />}
          placeholder={`搜索${title}`}
          onChange={(event) => setWord(event.target.value)}
        />
      )}
      <div className="options">
        {!single && !word && real.length > 1 && (
          <div className="option all">
            <Checkbox
              checked={picked === real.length}
              indeterminate={picked > 0 && picked < real.length}
              onChange={(event) => onChange(event.target.checked ? real.map((option) => option.value) : [])}
            >
              全选（{real.length} 项）
            </Checkbox>
          </div>
        )}
        {shown.map((option) => {
          const Control = single ? Radio : Checkbox
          return (
            <div className="option" key={option.value}>
              <Control
                checked={chosen.includes(option.value)}
                onChange={() => onChange(single ? [option.value] : toggleChoice(chosen, option.value))}
              >
                {option.label}
              </Control>
              {option.count !== undefined && <span className="count">{option.count}</span>}
            </div>
          )
        })}
        {shown.length === 0 && (
          <div className="zg-2" style={{ padding: 8 }}>
            没有匹配的选项
          </div>
        )}
      </div>
    </>
  )
}
