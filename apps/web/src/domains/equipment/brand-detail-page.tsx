import { getBrand, updateBrand } from '@zhugong/contract/equipment/library-endpoints'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { EnableTag } from '#kit/enable.tsx'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { BrandMark } from './brand-mark.tsx'
import { DevicesCard, ModelsCard } from './library-cards.tsx'
import { ChangeList, ChooseFirst, QualityFigures, useTab } from './library-parts.tsx'
import { SectionNav } from './section-nav.tsx'
import './equipment.css'

/** Models and devices of one brand, and their quality. */
export default function BrandDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const [tab, setTab] = useTab('basic')
  const { data: brand, error, isPending, refetch } = useCall(getBrand, { params: { id } }, { enabled: id !== '', quiet: true })
  if (!id) return <ChooseFirst hint="从品牌管理中选择一个" listPath="/brand" listName="品牌管理" />
  return (
    <DetailShell
      title={brand?.name}
      loading={isPending}
      error={error && !brand ? error : undefined}
      retry={refetch}
      tags={brand && <EnableTag enable={brand.enable} />}
      facts={
        brand
          ? [
              { label: '厂商', value: brand.factoryName },
              { label: '型号', value: brand.models },
              { label: '设备', value: `${brand.devices} 台` },
              { label: '项目', value: brand.byProject.length },
            ]
          : []
      }
      actions={
        <>
          <Button onClick={() => go('/equipmentBrand', { compare: id })}>与其他品牌对比</Button>
          <Can call={updateBrand}>
            <Button type="primary" onClick={() => go('/brand/edit', { id })}>
              编辑
            </Button>
          </Can>
        </>
      }
    >
      {brand && (
        <div className="eq-body">
          <SectionNav
            current={tab}
            onSelect={setTab}
            items={[
              { key: 'basic', title: '基本' },
              { key: 'models', title: '型号', count: brand.models },
              { key: 'devices', title: '设备', count: brand.devices },
              { key: 'quality', title: '质量' },
              { key: 'changes', title: '变更记录', count: brand.changes.length },
            ]}
          />
          <div className="eq-main">
            {brand.mergedInto && (
              <Notice tone="info">
                已并入 <Link to={hrefOf('/brand/details', { id: brand.mergedInto })}>{brand.mergedIntoName}</Link>，型号与设备都在那里。
              </Notice>
            )}
            {tab === 'basic' && (
              <Card title="基本">
                <div className="zg-below-12">
                  <BrandMark brand={brand} size={48} />
                </div>
                <Pairs
                  items={[
                    {
                      label: '厂商',
                      value: <Link to={hrefOf('/manufactor1.1.0/details', { id: brand.factoryId })}>{brand.factoryName}</Link>,
                    },
                    { label: '别名', value: brand.alias.join('、') },
                    { label: '设备类别', value: brand.familyNames.join('、') },
                    { label: '更新时间', value: brand.updateTime },
                    { label: '备注', value: brand.remark, wide: true },
                  ]}
                />
              </Card>
            )}
            {tab === 'models' && <ModelsCard owner={{ brandId: id }} />}
            {tab === 'devices' && <DevicesCard owner={{ brandId: id }} sites={brand.byProject} />}
            {tab === 'quality' && (
              <>
                <Card title="近 30 日" flush>
                  <QualityFigures quality={brand.quality} />
                </Card>
                <Card title="近 12 个月" remark="在线率与数据有效率">
                  {brand.devices < 10 ? (
                    <p className="zg-2">只有 {brand.devices} 台设备，样本少于 10 台，不画曲线。</p>
                  ) : brand.months.length < 2 ? (
                    <Empty small text="历史不足" hint="满两个月后显示曲线" />
                  ) : (
                    <Chart
                      label={`${brand.name} 近 12 个月在线率与数据有效率`}
                      height={260}
                      option={{
                        tooltip: { trigger: 'axis' },
                        legend: { top: 0 },
                        grid: { left: 44, right: 16, top: 32, bottom: 24 },
                        xAxis: { type: 'category', data: brand.months.map((m) => m.month) },
                        yAxis: { type: 'value', min: 60, max: 100, axisLabel: { formatter: '{value} %' } },
                        series: [
                          { name: '在线率', type: 'line', data: brand.months.map((m) => m.onlinePercent) },
                          { name: '数据有效率', type: 'line', data: brand.months.map((m) => m.validPercent) },
                        ],
                      }}
                    />
                  )}
                </Card>
              </>
            )}
            {tab === 'changes' && (
              <Card title="变更记录">
                <ChangeList changes={brand.changes} />
              </Card>
            )}
          </div>
        </div>
      )}
    </DetailShell>
  )
}
