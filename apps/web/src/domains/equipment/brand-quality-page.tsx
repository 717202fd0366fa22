import { brandList, listBrands, updateBrand } from '@zhugong/contract/equipment/library-endpoints'
import { Button, Checkbox, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Notice, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BrandMark } from './brand-mark.tsx'
import { Share, useFamilyOptions } from './library-parts.tsx'
import './equipment.css'

const most = 4

/** Duplicate brands to merge, and quality of brands in the field. */
export default function BrandQualityPage() {
  const go = useGo()
  const query = usePageQuery()
  const list = useListPage(brandList, { scope: useMemo(() => ({ with: 'quality' }), []), defaultSort: '-devices', own: ['compare'] })
  const all = useCall(listBrands, { query: { with: 'quality', size: 200, sort: '-devices' } }, { quiet: true })
  const families = useFamilyOptions()
  const [shape, setShape] = useState<'cards' | 'table'>('cards')
  const [chosen, setChosen] = useState<string[]>(query.get('compare') ? [query.get('compare') ?? ''] : [])
  const [comparing, setComparing] = useState(false)
  const act = useAct(updateBrand, { success: false })
  const flip = (id: string) =>
    setChosen((now) => {
      if (now.includes(id)) return now.filter((one) => one !== id)
      if (now.length >= most) {
        notify.warning(`一次最多对比 ${most} 个品牌`)
        return now
      }
      return [...now, id]
    })
  const merge = async (into: { id: string; name: string }, from: readonly { id: string; name: string; devices: number }[]) => {
    const devices = from.reduce((sum, one) => sum + one.devices, 0)
    const yes = await confirmDanger({
      thing: `把 ${from.map((one) => one.name).join('、')} 并入 ${into.name}`,
      consequence: `${devices} 台设备与全部型号改归 ${into.name}，原名称成为别名；7 天内可以撤销。`,
      verb: `合并，${devices} 台改归`,
      keep: '不合并',
    })
    if (yes && (await act.run({ params: { id: into.id }, body: { mergeFrom: from.map((one) => one.id) } }))) notify.success('已合并')
  }
  const undo = async (mergeOf: { id: string; intoId: string; names: string; devices: number }) => {
    if (await act.run({ params: { id: mergeOf.intoId }, body: { undoMerge: mergeOf.id } })) notify.success(`已撤销，${mergeOf.names} 恢复`)
  }
  const columns: ColumnOf<typeof brandList>[] = [
    {
      key: 'name',
      width: 170,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => (
        <>
          <BrandMark brand={row} /> {row.name}
        </>
      ),
    },
    { key: 'families', width: 180, filter: 'multi', options: families, value: (row) => row.familyNames.join('、') },
    { key: 'devices', width: 72, align: 'right', sort: true, value: (row) => row.devices },
    {
      key: 'online',
      width: 110,
      align: 'right',
      value: (row) => <Share value={row.quality?.onlinePercent} few={row.quality?.few} low={90} />,
    },
    {
      key: 'valid',
      width: 110,
      align: 'right',
      value: (row) => <Share value={row.quality?.validPercent} few={row.quality?.few} low={95} />,
    },
    {
      key: 'fault',
      width: 100,
      align: 'right',
      value: (row) => (row.quality?.faultPer100 === null || !row.quality ? undefined : row.quality.faultPer100),
    },
    {
      key: 'false',
      width: 90,
      align: 'right',
      value: (row) => <Share value={row.quality?.falsePercent} few={row.quality?.few} />,
    },
    { key: 'sites', width: 76, align: 'right', value: (row) => row.quality?.sites },
  ]
  const brands = all.data?.list ?? []
  const compared = brands.filter((one) => chosen.includes(one.id))
  return (
    <ListShell
      remark="各品牌在现场的在线、有效、故障与误报"
      titleActions={
        <>
          <Button onClick={() => go('/brand')}>维护品牌档案</Button>
          <Segmented<'cards' | 'table'>
            value={shape}
            onChange={setShape}
            options={[
              { value: 'cards', label: '卡片' },
              { value: 'table', label: '表格' },
            ]}
          />
          <Button disabled={compared.length < 2} onClick={() => setComparing(true)}>
            对比 {compared.length} 个
          </Button>
        </>
      }
      above={
        <>
          {(all.data?.merges ?? []).map((one) => (
            <Notice
              key={one.id}
              tone="info"
              actions={
                <Can call={updateBrand}>
                  <Button size="small" loading={act.running} onClick={() => void undo(one)}>
                    撤销合并
                  </Button>
                </Can>
              }
            >
              {one.at} 把 {one.names} 并入 {one.intoName}，{one.devices} 台设备改归；7 天内可以撤销
            </Notice>
          ))}
          {(all.data?.duplicates ?? []).length > 0 && (
            <Card title="疑似重复" remark="选保留的一个，其余并入" flush>
              {all.data?.duplicates.map((group) => (
                <div key={group.brands.map((b) => b.id).join()} className="eq-row">
                  <Tag tone="warning">{group.why}</Tag>
                  {group.brands.map((one) => (
                    <span key={one.id}>
                      <b>{one.name}</b> <span className="zg-2">{one.devices} 台</span>
                    </span>
                  ))}
                  <Can call={updateBrand}>
                    <span className="right">
                      {group.brands.map((one) => (
                        <Button
                          key={one.id}
                          size="small"
                          onClick={() =>
                            void merge(
                              one,
                              group.brands.filter((other) => other.id !== one.id),
                            )
                          }
                        >
                          保留 {one.name}
                        </Button>
                      ))}
                    </span>
                  </Can>
                </div>
              ))}
            </Card>
          )}
        </>
      }
    >
      {shape === 'table' ? (
        <DataTable
          list={list}
          columns={columns}
          unit="个"
          search={{ key: 'name', placeholder: '品牌名称' }}
          onRow={(row) => go('/brand/details', { id: row.id })}
        />
      ) : (
        <div className="eq-cards">
          {brands.map((row) => (
            <section key={row.id} className="zg-card eq-card" aria-label={row.name}>
              <header>
                <BrandMark brand={row} size={32} />
                <button type="button" className="zg-bare zg-link" onClick={() => go('/brand/details', { id: row.id })}>
                  {row.name}
                </button>
                <span className="zg-2">{row.devices} 台</span>
                <Checkbox className="zg-end" checked={chosen.includes(row.id)} onChange={() => flip(row.id)}>
                  对比
                </Checkbox>
              </header>
              <div className="zg-2">{row.familyNames.join('、') || '--'}</div>
              <dl>
                <div>
                  <dt>在线率</dt>
                  <dd>
                    <Share value={row.quality?.onlinePercent} low={90} few={row.quality?.few} />
                  </dd>
                </div>
                <div>
                  <dt>有效率</dt>
                  <dd>
                    <Share value={row.quality?.validPercent} low={95} few={row.quality?.few} />
                  </dd>
                </div>
                <div>
                  <dt>百台月故障</dt>
                  <dd>{row.quality?.faultPer100 ?? '--'}</dd>
                </div>
                <div>
                  <dt>项目</dt>
                  <dd>{row.quality?.sites ?? 0}</dd>
                </div>
              </dl>
            </section>
          ))}
        </div>
      )}
      <PageModal open={comparing} title="品牌对比" footer={null} width={640} onCancel={() => setComparing(false)}>
        <Chart
          label={`品牌对比：${compared.map((one) => one.name).join('、')}`}
          height={320}
          option={{
            tooltip: { trigger: 'axis' },
            legend: { top: 0 },
            grid: { left: 48, right: 16, top: 36, bottom: 28 },
            xAxis: { type: 'category', data: ['在线率', '有效率', '不误报', '不出故障'] },
            yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: '{value} %' } },
            series: compared.map((one) => ({
              name: one.name,
              type: 'bar',
              data: [
                one.quality?.onlinePercent ?? null,
                one.quality?.validPercent ?? null,
                one.quality?.falsePercent === null || !one.quality ? null : 100 - one.quality.falsePercent,
                one.quality?.faultPer100 === null || !one.quality ? null : Math.max(0, 100 - one.quality.faultPer100),
              ],
            })),
          }}
        />
        {compared.some((one) => one.quality?.few) && <p className="zg-2">设备少于 10 台的品牌样本少，只供参考。</p>}
      </PageModal>
    </ListShell>
  )
}
