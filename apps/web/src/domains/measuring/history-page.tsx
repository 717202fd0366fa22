import { PrinterOutlined, RiseOutlined } from '@ant-design/icons'
import type { MeasureFilters } from '@zhugong/contract/measuring/records'
import { findMeasurePoints, measurePointList } from '@zhugong/contract/measuring/records'
import { createImprovement } from '@zhugong/contract/quality/improvement'
import { measureSource } from '@zhugong/contract/quality/improvement-moves'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { HeatMap } from './heat-map.tsx'
import { Matrix } from './matrix.tsx'
import { Ranking } from './ranking.tsx'
import { paths, ResultTag } from './words.tsx'
import './measuring.css'

const views = ['heat', 'matrix', 'list', 'rank'] as const
type View = (typeof views)[number]

/** Where and in what are we bad, which subcontractor, and is it getting better? */
export default function HistoryPage() {
  const go = useGo()
  const pageQuery = usePageQuery()
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const one = projectCode !== '*'
  const list = useListPage(measurePointList, { scope, defaultSort: '-time' })
  const chosen = views.find((one) => one === pageQuery.get('view'))
  const view: View = chosen ?? (one ? 'heat' : 'rank')
  const show = (next: View, more: object = {}) => go(paths.history, { ...list.filters, ...more, view: next })
  const { page: _page, size: _size, sort: _sort, ...filters } = list.query as Record<string, unknown>
  const query = { ...filters, ...scope } as MeasureFilters
  const { data } = useCall(findMeasurePoints, { query: { ...query, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const counts = data?.counts
  const print = usePrint('measureSummary')
  const columns = useColumns()
  return (
    <ListShell
      titleActions={
        one && (
          <>
            {counts !== undefined && counts.open > 0 && (
              <Can call={createImprovement}>
                <Button
                  icon={<RiseOutlined />}
                  onClick={() => go(paths.improvement, { projectCode, source: measureSource, corp: list.filters.unitCorp })}
                >
                  生成改进单
                </Button>
              </Can>
            )}
            <Button
              icon={<PrinterOutlined />}
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'measureSummary', exportType: 'pdf', query } })}
            >
              打印汇总
            </Button>
          </>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '合格率',
              value: counts?.passRate ?? '--',
              unit: counts?.passRate === null ? undefined : '%',
              remark: counts?.firstRate === null || counts?.firstRate === undefined ? undefined : `首次 ${counts.firstRate}%`,
            },
            { label: '测点数', value: thousands(counts?.measured), unit: '点' },
            {
              label: '爆点',
              value: thousands(counts?.burst),
              unit: '个',
              tone: counts?.burst ? 'danger' : undefined,
              remark: '复测后仍是',
            },
            {
              label: '待整改点',
              value: thousands(counts?.open),
              unit: '点',
              tone: counts?.open ? 'warning' : undefined,
              href: hrefOf(paths.history, { ...list.filters, open: 'true', view: 'list' }),
            },
          ]}
        />
      }
      above={
        <div className="measuring-views">
          <Segmented<View>
            options={[
              ...(one ? [{ value: 'heat' as const, label: '立面热力图' }] : [{ value: 'rank' as const, label: '项目排名' }]),
              { value: 'matrix', label: '测项 × 分包' },
              { value: 'list', label: '测点明细' },
            ]}
            value={view}
            onChange={(next) => show(next)}
          />
          {view !== 'list' && Object.keys(list.filters).length > 0 && (
            <Notice tone="info" actions={<Button onClick={list.clearFilters}>清除筛选</Button>}>
              与“测点明细”使用同一组筛选，当前 {Object.keys(list.filters).length} 个条件
            </Notice>
          )}
        </div>
      }
    >
      {view === 'heat' && one ? (
        <HeatMap query={query} projectCode={projectCode} />
      ) : view === 'matrix' ? (
        <Matrix query={query} onPick={(more) => show('list', more)} />
      ) : view === 'rank' && !one ? (
        <Ranking query={query} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="点"
          search={{ key: 'measurer', placeholder: '测量人' }}
          onRow={(row) => go(paths.tasks, { task: row.taskId })}
          emptyHint="还没有测点：测量任务提交前也在这里显示已保存的测点"
          filterWords={{
            retest: { title: '复测', words: { true: '已复测', false: '未复测' } },
            open: { title: '整改', words: { true: '待整改', false: '无须整改' } },
          }}
        />
      )}
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof measurePointList>[] {
  const dicts = useDicts('measureItem', 'measurePointResult')
  const projectCode = useProjectCode()
  const places = usePlaceFilter(projectCode)
  const all: ColumnOf<typeof measurePointList>[] = [
    { key: 'time', width: 150, locked: true, sort: true, filter: 'datetime-range', value: (r) => r.time },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'placeName', width: 160, filter: places && 'tree-cascader', filterKey: 'place', tree: places, value: (r) => r.placeName },
    { key: 'itemCode', width: 150, sort: true, filter: 'tree-cascader', tree: dicts.tree('measureItem'), value: (r) => r.itemName },
    { key: 'areaNo', width: 60, align: 'right', value: (r) => r.areaNo },
    { key: 'pointNo', width: 60, align: 'right', value: (r) => r.pointNo },
    { key: 'designValue', width: 72, weak: true, align: 'right', value: (r) => r.designValue },
    { key: 'value', width: 72, align: 'right', value: (r) => r.value },
    { key: 'deviation', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.deviation },
    {
      key: 'result',
      width: 96,
      keeps: true,
      filter: 'multi',
      options: dicts.options('measurePointResult'),
      value: (r) => <ResultTag result={r.result} name={r.resultName} />,
    },
    {
      key: 'retest',
      width: 116,
      filter: 'checkbox-empty',
      value: (r) =>
        r.retest === null ? null : (
          <span className="zg-row zg-gap-6">
            <span className="zg-num">{r.retest}</span> <ResultTag result={r.retestResult} />
          </span>
        ),
    },
    { key: 'unitCorp', width: 160, weak: true, value: (r) => r.unitCorp },
    { key: 'measurer', width: 92, filter: 'text', value: (r) => r.measurer },
    { key: 'instrumentNo', width: 104, weak: true, filter: 'text', value: (r) => r.instrumentNo },
    { key: 'photos', width: 84, value: (r) => (r.photos[0] ? <Thumb src={r.photos[0]} name="爆点照片" width={40} height={28} /> : null) },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
