import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  type BrandField,
  brandColors,
  contrastOnWhite,
  getBrand,
  leastContrast,
  saveBrand,
  stateLike,
} from '@zhugong/contract/organisation/brand'
import { Input } from 'antd'
import type { ReactNode } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { NumberInput, Upload } from '#kit/inputs.tsx'
import { reload } from '#kit/me.ts'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'
import './organisation.css'

const { Field, useValue } = fieldsOf<BrandFields>()

type Brand = OutputFor<typeof getBrand>

/** Form values: the logo is a list of files. */
type BrandFields = Record<Exclude<keyof typeof labels, 'logo'>, string> & { logo: string[] }

const labels = {
  sysName: '系统名称',
  logo: '标识',
  primaryColor: '主色',
  screen: '大屏地址',
  lng: '经度',
  lat: '纬度',
} as const

/** Brand of the group, with a preview. */
export function BrandSettings({ tabs, below }: { tabs?: ReactNode; below?: ReactNode }) {
  const { data, error, refetch } = useCall(getBrand, { query: {} }, { quiet: true, staleMs: 0 })
  const may = useCan(saveBrand)
  const act = useAct(saveBrand, { success: '已保存，本组人员刷新后看到新的标识', onDone: () => void reload() })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const locked = (field: BrandField) => Boolean(data?.shown[field]?.lockedBy)
  const asFields = data && { ...data, sysName: data.ownName, logo: data.logo ? [data.logo] : [] }
  return (
    <SettingsForm
      key={data?.version}
      act={act}
      loading={!data}
      initial={asFields}
      {...(tabs ? {} : { title: '机构标识设置' })}
      titleActions={tabs}
      input={(values) => ({
        body: { ...values, logo: (values as Partial<BrandFields>).logo?.[0] ?? null, version: data?.version ?? 0 } as InputFor<
          typeof saveBrand
        >['body'],
      })}
      last={data && changeOf(data)}
      lock={may ? undefined : '没有组织设置的权限，此处只供查看'}
      differences={(values) => (asFields ? differencesOf(asFields, { ...asFields, ...values }, labels, brandWords) : [])}
      aside={data && <Preview brand={data} />}
    >
      <FieldGroup title="名称与标识">
        <Field name="sysName" label="系统名称" extra={<Source of={data?.shown.sysName} />} help="页头、登录页与浏览器标签显示，留空则继承">
          <Input disabled={locked('sysName')} placeholder={data?.shown.sysName?.value ?? undefined} />
        </Field>
        <Field
          name="primaryColor"
          label="主色"
          extra={<Source of={data?.shown.primaryColor} />}
          help="按钮、链接与选中项的颜色，留空则继承"
        >
          <ColorInput disabled={locked('primaryColor')} inherited={data?.shown.primaryColor?.value} />
        </Field>
        <Field
          name="logo"
          label="标识"
          span="all"
          extra={<Source of={data?.shown.logo} />}
          help="PNG、JPG 或 WebP，不超过 1 MB，建议高 96 像素、透明底；删除后继承上级的标识"
        >
          <Upload max={1} accept="image/png,image/jpeg,image/webp" maxMb={1} disabled={locked('logo')} />
        </Field>
      </FieldGroup>
      <FieldGroup title="大屏与地图">
        <Field name="screen" label="大屏地址" extra={<Source of={data?.shown.screen} />} help="以 / 或 https:// 开头">
          <Input disabled={locked('screen')} />
        </Field>
        <Field name="lng" label="地图中心经度" help="WGS-84">
          <NumberInput />
        </Field>
        <Field name="lat" label="地图中心纬度" help="WGS-84">
          <NumberInput />
        </Field>
      </FieldGroup>
      {below}
    </SettingsForm>
  )
}

/** Settings changed before changes were recorded have no author, but are not the defaults either. */
export const changeOf = ({ updateBy, updateTime, shown }: Pick<Brand, 'updateBy' | 'updateTime' | 'shown'>) =>
  updateTime || !Object.values(shown).some((one) => one.own) ? { by: updateBy, at: updateTime } : undefined

/** Origin of a value: locked from above, own, inherited or default. */
function Source({ of }: { of: Brand['shown'][BrandField] | undefined }) {
  if (!of) return null
  if (of.lockedBy)
    return (
      <span title={`已被${of.lockedBy}锁定`}>
        <Tag tone="warning" icon={false}>
          上级锁定
        </Tag>
      </span>
    )
  if (of.own) return <Tag icon={false}>自定义</Tag>
  return (
    <Tag icon={false} tone="running">
      {of.fromName ? `继承自 ${of.fromName}` : '平台默认'}
    </Tag>
  )
}

const brandWords = (value: unknown, key: string): string =>
  key === 'logo'
    ? (value as string[] | undefined)?.length
      ? '已上传'
      : '平台标识'
    : value === null || value === undefined || value === ''
      ? '无'
      : String(value)

/** Colour input: code or preset, with its contrast on white. */
interface ColorInputProps {
  value?: string | null
  onChange?: (value: string | null) => void
  id?: string
  disabled?: boolean
  /** Value in force if none is set here, or if the field is locked from above. */
  inherited?: string | null | undefined
}

function ColorInput({ value: own, onChange, id, disabled, inherited }: ColorInputProps) {
  const value = disabled ? inherited : own
  const holds = (value || inherited || colors.primary).toUpperCase()
  const isColor = /^#[0-9A-F]{6}$/.test(holds)
  const contrast = isColor ? contrastOnWhite(holds) : undefined
  const like = isColor ? stateLike(holds) : undefined
  return (
    <div className="org-color">
      <Input
        id={id}
        value={value ?? ''}
        maxLength={7}
        disabled={disabled}
        placeholder={inherited || colors.primary}
        onChange={(event) => onChange?.(event.target.value.trim() || null)}
      />
      {brandColors.map((color) => (
        <button
          key={color}
          type="button"
          disabled={disabled}
          className={`org-swatch ${holds === color.toUpperCase() ? 'on' : ''}`}
          style={{ background: color }}
          aria-label={`主色 ${color}`}
          onClick={() => onChange?.(color)}
        />
      ))}
      {contrast !== undefined && (
        <Tag tone={contrast < leastContrast ? 'danger' : 'fine'}>
          对比度 {contrast.toFixed(1)}:1{contrast < leastContrast && '，看不清'}
        </Tag>
      )}
      {like && <Tag tone="warning">接近表示“{like}”的颜色，链接和按钮会被看成状态</Tag>}
    </div>
  )
}

/** Preview of the unsaved values in header, login page, phone and gate; empty values are shown as inherited. */
function Preview({ brand }: { brand: Brand }) {
  const { shown, code, type } = brand
  const of = (field: BrandField, typed: string | undefined) =>
    shown[field]?.lockedBy ? shown[field].value : typed || (shown[field]?.own ? null : (shown[field]?.value ?? null))
  const name = of('sysName', useValue('sysName')) || '筑工'
  const logo = of('logo', useValue('logo')?.[0]) || '/logo.svg'
  const typed = of('primaryColor', useValue('primaryColor')) ?? ''
  const color = /^#[0-9a-fA-F]{6}$/.test(typed) ? typed : colors.primary
  return (
    <Card title="预览" remark="保存前的样子">
      <div className="org-preview">
        <figure>
          <div className="org-preview-header">
            <img src={logo} alt="" height="20" />
            <b>{name}</b>
            <span>首页</span>
            <span>项目</span>
          </div>
          <figcaption>页头</figcaption>
        </figure>
        <figure>
          <div className="org-preview-login">
            <img src={logo} alt="" height="32" />
            <b>{name}</b>
            <i />
            <i />
            <em style={{ background: color }}>登录</em>
          </div>
          <figcaption>登录页{code && <code> /login?org={code}</code>}</figcaption>
        </figure>
        {type === 3 ? (
          <>
            <figure>
              <div className="org-preview-page">
                <img src={logo} alt="" height="24" />
                <b>{name}</b>
                <span>姓名　工种　班组</span>
              </div>
              <figcaption>工人胸牌</figcaption>
            </figure>
            <figure>
              <div className="org-preview-header">
                <b>{name}</b>
                <span>欢迎进场</span>
              </div>
              <figcaption>闸机屏</figcaption>
            </figure>
          </>
        ) : (
          <figure>
            <div className="org-preview-page">
              <em style={{ background: color }}>新增</em>
              <span style={{ color }}>链接文字</span>
              <u style={{ borderColor: color }}>选中的菜单</u>
            </div>
            <figcaption>按钮、链接与选中项</figcaption>
          </figure>
        )}
      </div>
    </Card>
  )
}
