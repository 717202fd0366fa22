import { DeleteOutlined } from '@ant-design/icons'
import { saveProjectRegistered } from '@zhugong/contract/organisation/project-facts'
import { updateProject } from '@zhugong/contract/organisation/projects'
import { Button, Input } from 'antd'
import { formOf } from '#kit/form-of.ts'
import { DayInput } from '#kit/inputs.tsx'

const { Field, FieldList } = formOf(saveProjectRegistered, updateProject)

const mostLicences = 20

/** Building licences of a project; there may be several. */
export function LicenceFields() {
  return (
    <FieldList name="builderLicenses" add="添加施工许可证" max={mostLicences}>
      {({ index, name, remove }) => (
        <fieldset className="org-licence">
          <legend>
            施工许可证 {index + 1}
            <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={`删除施工许可证 ${index + 1}`} onClick={remove} />
          </legend>
          <div className="zg-fields">
            <Field name={name('builderLicenseNum')} label="施工许可证编号">
              <Input />
            </Field>
            <Field name={name('prjName')} label="工程名称">
              <Input />
            </Field>
            <Field name={name('licenseDate')} label="发证日期">
              <DayInput />
            </Field>
            <Field name={name('grantOrg')} label="发证机关">
              <Input />
            </Field>
          </div>
        </fieldset>
      )}
    </FieldList>
  )
}
