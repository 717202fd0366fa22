import { policyCategories, policyLevels, policyValidities, validityOf } from '@zhugong/contract/policies/model'
import type { PolicyFacets, PolicyLine, PolicyText } from '@zhugong/contract/policies/policies'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { Button, Checkbox, Input } from 'antd'
import { useEffect, useState } from 'react'
import { DetailSkeleton, Empty, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { notify } from '#kit/notify.ts'
import { Pager } from '#kit/pager.tsx'
import { Papers } from '#kit/papers.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { Marked, ValidityTag } from './policy-words.tsx'
import './policies.css'

export interface PolicySearch {
  keyword: string
  level: string[]
  category: string[]
  subject: string[]
  validity: string[]
  year: string[]
  page: number
  size: number
  id: string
}
const facetNames = ['level', 'category', 'subject', 'validity', 'year'] as const
type FacetName = (typeof facetNames)[number]
const titles: Readonly<Record<FacetName, string>> = { level: '层级', category: '类别', subject: '专业', validity: '效力', year: '年份' }
const usualSize = 20
/** What holds today, until the reader says otherwise. */
const usualValidity = [validityOf.valid]

const subjects = new Map((dictionaryOf('checkDiscipline')?.items ?? []).map((one) => [one.code, one.name]))
function wordOf(facet: FacetName, value: string): string {
  if (facet === 'level') return policyLevels[value as keyof typeof policyLevels] ?? value
  if (facet === 'category') return policyCategories[value as keyof typeof policyCategories] ?? value
  if (facet === 'validity') return policyValidities[value as keyof typeof policyValidities] ?? value
  if (facet === 'subject') return subjects.get(value) ?? value
  return `${value} 年`
}

/** The search as it stands in the address. */
export function searchOf(params: URLSearchParams): PolicySearch {
  const several = (name: string) => (params.get(name) ?? '').split(',').filter(Boolean)
  return {
    keyword: params.get('keyword') ?? '',
    level: several('level'),
    category: several('category'),
    subject: several('subject'),
    validity: params.has('validity') ? several('validity') : [...usualValidity],
    year: several('year'),
    page: Math.max(1, Number(params.get('page')) || 1),
    size: Math.max(1, Number(params.get('size')) || usualSize),
    id: params.get('id') ?? '',
  }
}

/** The address of a search; the inverse of `searchOf`. */
export function addressOf(search: PolicySearch): Record<string, string> {
  const isUsual = search.validity.join() === usualValidity.join()
  return Object.fromEntries(
    Object.entries({
      keyword: search.keyword,
      ...Object.fromEntries(facetNames.map((name) => [name, search[name].join(',')])),
      page: search.page > 1 ? String(search.page) : '',
      size: search.size === usualSize ? '' : String(search.size),
      id: search.id,
    }).filter(([name, value]) => (name === 'validity' ? !isUsual : value !== '')),
  )
}

/** The query of the call. */
export const queryOf = ({ id, keyword, ...rest }: PolicySearch) => ({ ...rest, keyword: keyword || undefined, id: id || undefined })

interface ReaderProps {
  search: PolicySearch
  /** Called with the next search; the page puts it into the address. */
  onSearch: (next: PolicySearch) => void
  read: { data?: { list: PolicyLine[]; total: number; facets: PolicyFacets; text: PolicyText | null }; error: Error | null }
  /** Address of one text, to open and to copy. */
  hrefOf: (id: string) => string
}

/** The compendium: search and facets, results as lines, one text as a page to read. */
export function PolicyReader({ search, onSearch, read: { data, error }, hrefOf }: ReaderProps) {
  if (search.id) {
    const back = () => onSearch({ ...search, id: '' })
    if (error)
      return (
        <Notice tone="danger" actions={<Button onClick={back}>返回列表</Button>}>
          {error.message}
        </Notice>
      )
    if (!data?.text || data.text.id !== search.id) return <DetailSkeleton />
    return <PolicyPaper text={data.text} onBack={back} onOpen={(id) => onSearch({ ...search, id })} hrefOf={hrefOf} />
  }
  const change = (part: Partial<PolicySearch>) => onSearch({ ...search, page: 1, ...part })
  return (
    <div className="policy-reader">
      <SearchBox keyword={search.keyword} onSearch={(keyword) => change({ keyword })} />
      <Facets search={search} facets={data?.facets} onChange={change} />
      <section className="policy-results" aria-label="检索结果" aria-busy={!data && !error}>
        {error ? (
          <Notice tone="danger">{error.message}</Notice>
        ) : data ? (
          <Results data={data} search={search} onSearch={onSearch} change={change} hrefOf={hrefOf} />
        ) : (
          <DetailSkeleton />
        )}
      </section>
    </div>
  )
}

function Results({
  data: { list, total },
  search,
  onSearch,
  change,
  hrefOf,
}: {
  data: { list: PolicyLine[]; total: number }
  search: PolicySearch
  onSearch: (next: PolicySearch) => void
  change: (part: Partial<PolicySearch>) => void
  hrefOf: (id: string) => string
}) {
  if (total === 0)
    return (
      <Empty text="没有符合条件的文本" hint="可减少条件，或在“效力”中选择已废止的文本">
        <Button onClick={() => change({ keyword: '', level: [], category: [], subject: [], year: [], validity: [] })}>查看全部</Button>
      </Empty>
    )
  return (
    <>
      <ol className="policy-list">
        {list.map((line) => (
          <li key={line.id}>
            <h3>
              {line.top && <span className="policy-top">置顶</span>}
              <a
                href={hrefOf(line.id)}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey) return
                  event.preventDefault()
                  onSearch({ ...search, id: line.id })
                }}
              >
                <Marked text={line.title} keyword={search.keyword} />
              </a>
              <ValidityTag row={line} />
            </h3>
            <p className="zg-2">
              {[line.docNo, line.issuer, `${line.issueDate} 发布`, `${line.effectDate} 施行`].filter(Boolean).join(' · ')}
            </p>
            {line.excerpt && (
              <p>
                <Marked text={line.excerpt} keyword={search.keyword} />…
              </p>
            )}
          </li>
        ))}
      </ol>
      <Pager
        list={{
          page: search.page,
          size: search.size,
          total,
          setPage: (page) => onSearch({ ...search, page }),
          setSize: (size) => change({ size }),
        }}
        unit="份"
      />
    </>
  )
}

function SearchBox({ keyword, onSearch }: { keyword: string; onSearch: (keyword: string) => void }) {
  const [typed, setTyped] = useState(keyword)
  useEffect(() => setTyped(keyword), [keyword])
  return (
    <search className="policy-search">
      <Input.Search
        allowClear
        size="large"
        aria-label="检索标题、文号或正文"
        placeholder="标题、文号或正文中的词"
        maxLength={50}
        value={typed}
        enterButton="检索"
        onChange={(event) => setTyped(event.target.value)}
        onSearch={(value) => onSearch(value.trim())}
      />
    </search>
  )
}

function Facets({
  search,
  facets,
  onChange,
}: {
  search: PolicySearch
  facets: PolicyFacets | undefined
  onChange: (part: Partial<PolicySearch>) => void
}) {
  return (
    <aside className="policy-facets" aria-label="筛选">
      {facetNames.map((name) => {
        const counted = facets?.[name] ?? []
        const shown = [
          ...counted,
          ...search[name].filter((one) => !counted.some((c) => c.value === one)).map((value) => ({ value, count: 0 })),
        ]
        return (
          <fieldset key={name}>
            <legend>{titles[name]}</legend>
            {shown.map(({ value, count }) => (
              <Checkbox
                key={value}
                checked={search[name].includes(value)}
                onChange={({ target }) =>
                  onChange({ [name]: target.checked ? [...search[name], value] : search[name].filter((one) => one !== value) })
                }
              >
                {wordOf(name, value)} <span className="zg-2">{facets ? thousands(count) : ''}</span>
              </Checkbox>
            ))}
            {facets && shown.length === 0 && <span className="zg-2">无</span>}
          </fieldset>
        )
      })}
    </aside>
  )
}

function PolicyPaper({
  text,
  onBack,
  onOpen,
  hrefOf,
}: {
  text: PolicyText
  onBack: () => void
  onOpen: (id: string) => void
  hrefOf: (id: string) => string
}) {
  const later = text.relations.filter((one) => one.side === 'later')
  const earlier = text.relations.filter((one) => one.side === 'earlier')
  const link = ({ id, title, docNo }: PolicyText['relations'][number]) => (
    <a
      href={hrefOf(id)}
      onClick={(event) => {
        event.preventDefault()
        onOpen(id)
      }}
    >
      《{title}》{docNo && `（${docNo}）`}
    </a>
  )
  return (
    <article className="policy-paper">
      <div className="zg-row zg-wrap policy-paper-bar">
        <Button onClick={onBack}>返回列表</Button>
        <Button onClick={() => copy(hrefOf(text.id))}>复制链接</Button>
        <Button onClick={() => window.print()}>打印</Button>
      </div>
      {text.validity === validityOf.repealed && <Notice tone="danger">本文已废止{later[0] && <>，见{link(later[0])}</>}</Notice>}
      {text.validity === validityOf.amended && later[0] && <Notice tone="warning">本文部分内容已由{link(later[0])}修改</Notice>}
      {text.upcoming && <Notice tone="info">本文自 {text.effectDate} 起施行</Notice>}
      <h2>{text.title}</h2>
      <dl>
        <dt>文号</dt>
        <dd>{text.docNo ?? '--'}</dd>
        <dt>发文机关</dt>
        <dd>{text.issuer}</dd>
        <dt>发布日期</dt>
        <dd>{text.issueDate}</dd>
        <dt>施行日期</dt>
        <dd>{text.effectDate}</dd>
        <dt>层级与类别</dt>
        <dd>{[text.levelName, text.categoryName, text.subjectName].filter(Boolean).join(' · ')}</dd>
        <dt>效力</dt>
        <dd>
          <ValidityTag row={text} />
        </dd>
      </dl>
      <RichText html={text.content} />
      {text.files.length > 0 && (
        <section>
          <h3>附件</h3>
          <Papers files={text.files} name="附件" />
        </section>
      )}
      {(earlier.length > 0 || later.length > 0) && (
        <section>
          <h3>修改与废止</h3>
          <ul>
            {earlier.map((one) => (
              <li key={one.id}>
                本文自 {one.since} 起{one.link === 'repeal' ? '废止' : '修改'}
                {link(one)}
              </li>
            ))}
            {later.map((one) => (
              <li key={one.id}>
                {one.since} 起由{link(one)}
                {one.link === 'repeal' ? '废止' : '修改'}
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

const copy = (href: string) =>
  void navigator.clipboard.writeText(new URL(href, window.location.origin).href).then(() => notify.success('已复制链接'))
