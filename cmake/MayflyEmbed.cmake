# Puts the SQL of views into the program.
#
# mayfly_embed_views(TARGET DIRECTORY): DIRECTORY/SCHEMA/NAME.sql become the rows of ViewSources() (catalog/system_tables.h). The source is written
# the build directory when CMake configures; a changed or added file configures again.
function(mayfly_embed_views target directory)
  file(GLOB views CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${directory}/*/*.sql)
  list(SORT views)
  set(rows "")
  foreach(view ${views})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${view})
    file(READ ${view} sql)
    string(STRIP "${sql}" sql)
    get_filename_component(name ${view} NAME_WE)
    get_filename_component(schema_directory ${view} DIRECTORY)
    get_filename_component(schema ${schema_directory} NAME)
    string(APPEND rows "    {\"${schema}\", \"${name}\", R\"VIEW_SQL(${sql})VIEW_SQL\"},\n")
  endforeach()
  string(CONCAT text "#include \"catalog/system_tables.h\"\n\nnamespace mayfly::catalog {\n\nstd::span<const ViewSource> ViewSources() {\n"
           "  static constexpr ViewSource kViews[] = {\n${rows}  };\n  return kViews;\n}\n\n}  // namespace mayfly::catalog\n")
  set(output ${CMAKE_BINARY_DIR}/generated/${target}_views.cc)
  if(EXISTS ${output})
    file(READ ${output} old)
  endif()
  if(NOT "${old}" STREQUAL "${text}")
    file(WRITE ${output} "${text}")
  endif()
  target_sources(${target} PRIVATE ${output})
endfunction()
